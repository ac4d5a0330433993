"use strict";

/**
 * Credit is worth more than money; see docs/refunds/store-credit.md.
 * @param {number} amount
 */
function storeCredit(amount) {
  return amount * 1.1;
}

module.exports = { storeCredit };
