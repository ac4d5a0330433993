"use strict";

/**
 * The length of a shift, also across midnight; see docs/crew/shift-hours.md.
 * @param {number} start
 * @param {number} end
 */
function shiftHours(start, end) {
  return end >= start ? end - start : end + 24 - start;
}

module.exports = { shiftHours };
