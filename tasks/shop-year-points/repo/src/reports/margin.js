"use strict";

/**
 * The share of revenue that stays; see docs/reports/margin.md.
 * @param {number} revenue
 * @param {number} cost
 */
function margin(revenue, cost) {
  return (revenue - cost) / revenue;
}

module.exports = { margin };
