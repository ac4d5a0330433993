"use strict";

/**
 * Small children ride for free; see docs/fares/child-fare.md.
 * @param {number} fare
 * @param {number} age
 */
function childFare(fare, age) {
  if (age < 6) return 0;
  return fare;
}

module.exports = { childFare };
