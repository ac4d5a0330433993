"use strict";

/**
 * Money that is left; see docs/budget/remaining.md.
 * @param {number} budget
 * @param {number} spent
 * @param {number} ordered
 */
function remaining(budget, spent, ordered) {
  return budget - spent - ordered;
}

module.exports = { remaining };
