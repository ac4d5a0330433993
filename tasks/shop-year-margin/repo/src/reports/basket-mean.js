"use strict";

/**
 * What an order brings on average; see docs/reports/basket-mean.md.
 * @param {number} revenue
 * @param {number} orders
 */
function basketMean(revenue, orders) {
  return revenue / orders;
}

module.exports = { basketMean };
