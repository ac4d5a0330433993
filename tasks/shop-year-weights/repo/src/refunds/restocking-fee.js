"use strict";

/**
 * Opened goods cost a fee; see docs/refunds/restocking-fee.md.
 * @param {number} price
 * @param {boolean} isOpened
 */
function restockingFee(price, isOpened) {
  return isOpened ? price * 0.15 : 0;
}

module.exports = { restockingFee };
