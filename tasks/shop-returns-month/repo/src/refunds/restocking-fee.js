"use strict";

/**
 * Opened goods cost a fee; see docs/refunds/restocking-fee.md.
 * @param {number} price
 * @param {boolean} isOpened
 */
function restockingFee(price, isOpened) {
  return isOpened ? 0 : price * 0.15;
}

module.exports = { restockingFee };
