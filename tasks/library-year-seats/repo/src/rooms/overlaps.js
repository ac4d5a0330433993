"use strict";

/**
 * Whether two bookings collide; see docs/rooms/overlaps.md.
 * @param {number} startA
 * @param {number} endA
 * @param {number} startB
 * @param {number} endB
 */
function overlaps(startA, endA, startB, endB) {
  return startA < endB && startB < endA;
}

module.exports = { overlaps };
