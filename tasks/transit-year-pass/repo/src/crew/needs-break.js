"use strict";

/**
 * Whether a driver must rest; see docs/crew/needs-break.md.
 * @param {number} minutesDriven
 */
function needsBreak(minutesDriven) {
  return minutesDriven >= 270;
}

module.exports = { needsBreak };
