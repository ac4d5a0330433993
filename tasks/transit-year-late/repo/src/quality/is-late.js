"use strict";

/**
 * Whether a trip counts as late; see docs/quality/is-late.md.
 * @param {number} delayMinutes
 */
function isLate(delayMinutes) {
  return delayMinutes >= 5;
}

module.exports = { isLate };
