"use strict";

/**
 * The last day to collect a book; see docs/holds/pickup-until.md.
 * @param {number} arrived
 */
function pickupUntil(arrived) {
  return arrived + 7;
}

module.exports = { pickupUntil };
