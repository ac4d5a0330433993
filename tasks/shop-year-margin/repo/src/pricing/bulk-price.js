"use strict";

/**
 * Ten or more pieces are cheaper; see docs/pricing/bulk-price.md.
 * @param {number} price
 * @param {number} quantity
 */
function bulkPrice(price, quantity) {
  if (quantity >= 10) return price * 0.9;
  return price;
}

module.exports = { bulkPrice };
