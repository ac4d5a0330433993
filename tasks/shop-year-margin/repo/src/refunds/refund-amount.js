"use strict";

/**
 * What a customer gets back; see docs/refunds/refund-amount.md.
 * @param {number} paid
 * @param {number} fee
 */
function refundAmount(paid, fee) {
  return paid - fee;
}

module.exports = { refundAmount };
