"use strict";

const { refundsReport } = require("./refunds/refunds-report.js");
const { loyaltyReport } = require("./loyalty/loyalty-report.js");

/** Every figure of the month, in order. */
function monthlyReport() {
  return [...refundsReport(), ...loyaltyReport()];
}

module.exports = { monthlyReport };
