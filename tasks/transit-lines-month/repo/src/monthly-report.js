"use strict";

const { scheduleReport } = require("./schedule/schedule-report.js");
const { networkReport } = require("./network/network-report.js");

/** Every figure of the month, in order. */
function monthlyReport() {
  return [...scheduleReport(), ...networkReport()];
}

module.exports = { monthlyReport };
