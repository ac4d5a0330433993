"use strict";

/**
 * What insuring a parcel costs; see docs/shipping/insurance-fee.md.
 * @param {number} value
 */
function insuranceFee(value) {
  return Math.max(2, value * 0.01);
}

module.exports = { insuranceFee };
