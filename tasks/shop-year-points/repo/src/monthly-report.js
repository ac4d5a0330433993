"use strict";

const { pricingReport } = require("./pricing/pricing-report.js");
const { shippingReport } = require("./shipping/shipping-report.js");
const { loyaltyReport } = require("./loyalty/loyalty-report.js");
const { reportsReport } = require("./reports/reports-report.js");

/** Every figure of the month, in order. */
function monthlyReport() {
  return [...pricingReport(), ...shippingReport(), ...loyaltyReport(), ...reportsReport()];
}

module.exports = { monthlyReport };
