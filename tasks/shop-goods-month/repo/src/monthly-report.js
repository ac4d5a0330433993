"use strict";

const { stockReport } = require("./stock/stock-report.js");
const { shippingReport } = require("./shipping/shipping-report.js");

/** Every figure of the month, in order. */
function monthlyReport() {
  return [...stockReport(), ...shippingReport()];
}

module.exports = { monthlyReport };
