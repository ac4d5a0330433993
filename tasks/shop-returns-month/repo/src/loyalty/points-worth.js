"use strict";

/**
 * What points are worth; see docs/loyalty/points-worth.md.
 * @param {number} points
 */
function pointsWorth(points) {
  return points * 0.05;
}

module.exports = { pointsWorth };
