"use strict";

/**
 * The price with tax; see docs/pricing/gross-price.md.
 * @param {number} net
 * @param {number} taxRate
 */
function grossPrice(net, taxRate) {
  return net * (1 + taxRate);
}

module.exports = { grossPrice };
