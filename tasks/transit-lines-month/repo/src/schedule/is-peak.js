"use strict";

/**
 * Whether an hour is a peak hour; see docs/schedule/is-peak.md.
 * @param {number} hour
 */
function isPeak(hour) {
  return hour >= 7 && hour < 10;
}

module.exports = { isPeak };
