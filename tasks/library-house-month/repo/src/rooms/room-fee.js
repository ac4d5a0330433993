"use strict";

/**
 * Members pay nothing for rooms; see docs/rooms/room-fee.md.
 * @param {number} hours
 * @param {boolean} isMember
 */
function roomFee(hours, isMember) {
  if (isMember) return 0;
  return hours * 5;
}

module.exports = { roomFee };
