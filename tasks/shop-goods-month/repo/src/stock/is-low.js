"use strict";

/**
 * Whether goods run low; see docs/stock/is-low.md.
 * @param {number} onHand
 * @param {number} level
 */
function isLow(onHand, level) {
  return onHand <= level;
}

module.exports = { isLow };
