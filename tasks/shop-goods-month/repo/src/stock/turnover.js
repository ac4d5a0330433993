"use strict";

/**
 * How often the stock is sold in a year; see docs/stock/turnover.md.
 * @param {number} sold
 * @param {number} average
 */
function turnover(sold, average) {
  return sold / average;
}

module.exports = { turnover };
