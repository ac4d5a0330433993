"use strict";

/**
 * Minutes of a whole round; see docs/schedule/cycle-minutes.md.
 * @param {number} outbound
 * @param {number} inbound
 * @param {number} layover
 */
function cycleMinutes(outbound, inbound, layover) {
  return outbound + inbound + 2 * layover;
}

module.exports = { cycleMinutes };
