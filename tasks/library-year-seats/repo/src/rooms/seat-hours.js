"use strict";

/**
 * What a reading room offers in a day; see docs/rooms/seat-hours.md.
 * @param {number} seats
 * @param {number} hours
 */
function seatHours(seats, hours) {
  return seats * hours;
}

module.exports = { seatHours };
