"use strict";

/**
 * Large orders ship for free; see docs/shipping/shipping-fee.md.
 * @param {number} total
 * @param {number} fee
 */
function shippingFee(total, fee) {
  if (total >= 50) return 0;
  return fee;
}

module.exports = { shippingFee };
