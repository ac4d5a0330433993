"use strict";

const { crewReport } = require("./crew/crew-report.js");
const { networkReport } = require("./network/network-report.js");
const { energyReport } = require("./energy/energy-report.js");
const { qualityReport } = require("./quality/quality-report.js");

/** Every figure of the month, in order. */
function monthlyReport() {
  return [...crewReport(), ...networkReport(), ...energyReport(), ...qualityReport()];
}

module.exports = { monthlyReport };
