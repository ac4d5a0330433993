"use strict";

/**
 * Seats that can still be booked; see docs/events/seats-free.md.
 * @param {number} capacity
 * @param {number} booked
 * @param {number} reserve
 */
function seatsFree(capacity, booked, reserve) {
  return capacity - booked;
}

module.exports = { seatsFree };
