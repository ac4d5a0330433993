"use strict";

/**
 * Whether an order can be returned; see docs/refunds/refundable.md.
 * @param {number} daysSince
 */
function refundable(daysSince) {
  return daysSince <= 30;
}

module.exports = { refundable };
