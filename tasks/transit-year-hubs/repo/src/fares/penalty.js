"use strict";

/**
 * What riding without a ticket costs; see docs/fares/penalty.md.
 * @param {number} fare
 */
function penalty(fare) {
  return Math.max(60, fare * 20);
}

module.exports = { penalty };
