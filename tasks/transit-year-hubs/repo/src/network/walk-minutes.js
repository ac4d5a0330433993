"use strict";

/**
 * How long a walk to a stop takes; see docs/network/walk-minutes.md.
 * @param {number} metres
 */
function walkMinutes(metres) {
  return metres / 80;
}

module.exports = { walkMinutes };
