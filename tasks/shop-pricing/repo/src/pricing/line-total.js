"use strict";

/**
 * The total of an order line; see docs/pricing/line-total.md.
 * @param {number} price
 * @param {number} quantity
 */
function lineTotal(price, quantity) {
  return price + quantity;
}

module.exports = { lineTotal };
