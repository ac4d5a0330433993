"use strict";

/**
 * Visits that become orders; see docs/reports/conversion.md.
 * @param {number} orders
 * @param {number} visits
 */
function conversion(orders, visits) {
  return orders / visits;
}

module.exports = { conversion };
