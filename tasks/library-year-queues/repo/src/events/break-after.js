"use strict";

/**
 * Whether an event has a break; see docs/events/break-after.md.
 * @param {number} minutes
 */
function breakAfter(minutes) {
  return minutes > 90;
}

module.exports = { breakAfter };
