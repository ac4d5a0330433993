"use strict";

/**
 * How full a room is; see docs/rooms/occupancy.md.
 * @param {number} taken
 * @param {number} seats
 */
function occupancy(taken, seats) {
  return taken / seats;
}

module.exports = { occupancy };
