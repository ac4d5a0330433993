"use strict";

/**
 * The level at which goods are ordered; see docs/stock/reorder-level.md.
 * @param {number} dailySales
 * @param {number} leadDays
 * @param {number} safety
 */
function reorderLevel(dailySales, leadDays, safety) {
  return dailySales * leadDays + safety;
}

module.exports = { reorderLevel };
