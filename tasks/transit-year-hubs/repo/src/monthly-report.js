"use strict";

const { scheduleReport } = require("./schedule/schedule-report.js");
const { faresReport } = require("./fares/fares-report.js");
const { networkReport } = require("./network/network-report.js");
const { qualityReport } = require("./quality/quality-report.js");

/** Every figure of the month, in order. */
function monthlyReport() {
  return [...scheduleReport(), ...faresReport(), ...networkReport(), ...qualityReport()];
}

module.exports = { monthlyReport };
