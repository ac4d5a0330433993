"use strict";

/**
 * The price of one piece in a bundle; see docs/pricing/unit-price.md.
 * @param {number} total
 * @param {number} count
 */
function unitPrice(total, count) {
  return total / count;
}

module.exports = { unitPrice };
