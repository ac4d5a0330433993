"use strict";

/**
 * Whether idle points are gone; see docs/loyalty/expires-after.md.
 * @param {number} monthsIdle
 */
function expiresAfter(monthsIdle) {
  return monthsIdle > 24;
}

module.exports = { expiresAfter };
