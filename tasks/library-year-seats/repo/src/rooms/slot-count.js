"use strict";

/**
 * Bookings that fit into a day; see docs/rooms/slot-count.md.
 * @param {number} open
 * @param {number} close
 * @param {number} minutes
 */
function slotCount(open, close, minutes) {
  return Math.floor((close - open) * 60 / minutes);
}

module.exports = { slotCount };
