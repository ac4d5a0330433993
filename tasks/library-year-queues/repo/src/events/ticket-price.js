"use strict";

/**
 * Students pay half; see docs/events/ticket-price.md.
 * @param {number} base
 * @param {boolean} isStudent
 */
function ticketPrice(base, isStudent) {
  if (isStudent) return base / 2;
  return base;
}

module.exports = { ticketPrice };
