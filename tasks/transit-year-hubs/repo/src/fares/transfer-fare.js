"use strict";

/**
 * Transfers are free for a while; see docs/fares/transfer-fare.md.
 * @param {number} fare
 * @param {number} minutesSince
 */
function transferFare(fare, minutesSince) {
  return minutesSince <= 90 ? 0 : fare;
}

module.exports = { transferFare };
