"use strict";

/**
 * When a vehicle arrives; see docs/schedule/arrival-minute.md.
 * @param {number} departure
 * @param {number} travel
 * @param {number} dwell
 */
function arrivalMinute(departure, travel, dwell) {
  return departure + travel + dwell;
}

module.exports = { arrivalMinute };
