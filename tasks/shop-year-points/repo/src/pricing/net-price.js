"use strict";

/**
 * The price without tax; see docs/pricing/net-price.md.
 * @param {number} gross
 * @param {number} taxRate
 */
function netPrice(gross, taxRate) {
  return gross / (1 + taxRate);
}

module.exports = { netPrice };
