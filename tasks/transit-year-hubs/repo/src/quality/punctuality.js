"use strict";

/**
 * The share of trips on time; see docs/quality/punctuality.md.
 * @param {number} onTime
 * @param {number} trips
 */
function punctuality(onTime, trips) {
  return onTime / trips;
}

module.exports = { punctuality };
