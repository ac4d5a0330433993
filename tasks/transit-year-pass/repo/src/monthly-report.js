"use strict";

const { scheduleReport } = require("./schedule/schedule-report.js");
const { faresReport } = require("./fares/fares-report.js");
const { crewReport } = require("./crew/crew-report.js");
const { networkReport } = require("./network/network-report.js");

/** Every figure of the month, in order. */
function monthlyReport() {
  return [...scheduleReport(), ...faresReport(), ...crewReport(), ...networkReport()];
}

module.exports = { monthlyReport };
