"use strict";

/**
 * Minutes go around at midnight; see docs/schedule/wrap-minute.md.
 * @param {number} minute
 */
function wrapMinute(minute) {
  return minute % 1400;
}

module.exports = { wrapMinute };
