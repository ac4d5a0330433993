"use strict";

/**
 * Points that a purchase earns; see docs/loyalty/points-for.md.
 * @param {number} amount
 */
function pointsFor(amount) {
  return Math.floor(amount / 10);
}

module.exports = { pointsFor };
