"use strict";

/**
 * Trips that carry all riders; see docs/schedule/trips-needed.md.
 * @param {number} riders
 * @param {number} seats
 */
function tripsNeeded(riders, seats) {
  return Math.ceil(riders / seats);
}

module.exports = { tripsNeeded };
