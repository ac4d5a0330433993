"use strict";

/**
 * Refunds to cards are faster; see docs/refunds/refund-days.md.
 * @param {string} method
 */
function refundDays(method) {
  if (method === "card") return 5;
  return 10;
}

module.exports = { refundDays };
