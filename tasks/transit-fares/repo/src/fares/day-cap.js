"use strict";

/**
 * Nobody pays more than the cap in a day; see docs/fares/day-cap.md.
 * @param {number} spent
 * @param {number} cap
 */
function dayCap(spent, cap) {
  return Math.max(spent, cap);
}

module.exports = { dayCap };
