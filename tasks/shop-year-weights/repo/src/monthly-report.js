"use strict";

const { shippingReport } = require("./shipping/shipping-report.js");
const { stockReport } = require("./stock/stock-report.js");
const { loyaltyReport } = require("./loyalty/loyalty-report.js");
const { refundsReport } = require("./refunds/refunds-report.js");

/** Every figure of the month, in order. */
function monthlyReport() {
  return [...shippingReport(), ...stockReport(), ...loyaltyReport(), ...refundsReport()];
}

module.exports = { monthlyReport };
