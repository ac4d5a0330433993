"use strict";

/**
 * The length of the waiting list; see docs/events/wait-position.md.
 * @param {number} booked
 * @param {number} capacity
 */
function waitPosition(booked, capacity) {
  return Math.max(0, booked - capacity);
}

module.exports = { waitPosition };
