"use strict";

const { crewReport } = require("./crew/crew-report.js");
const { energyReport } = require("./energy/energy-report.js");

/** Every figure of the month, in order. */
function monthlyReport() {
  return [...crewReport(), ...energyReport()];
}

module.exports = { monthlyReport };
