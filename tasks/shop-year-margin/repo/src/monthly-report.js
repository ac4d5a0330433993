"use strict";

const { pricingReport } = require("./pricing/pricing-report.js");
const { stockReport } = require("./stock/stock-report.js");
const { refundsReport } = require("./refunds/refunds-report.js");
const { reportsReport } = require("./reports/reports-report.js");

/** Every figure of the month, in order. */
function monthlyReport() {
  return [...pricingReport(), ...stockReport(), ...refundsReport(), ...reportsReport()];
}

module.exports = { monthlyReport };
