"use strict";

const { finesReport } = require("./fines/fines-report.js");
const { budgetReport } = require("./budget/budget-report.js");

/** Every figure of the month, in order. */
function monthlyReport() {
  return [...finesReport(), ...budgetReport()];
}

module.exports = { monthlyReport };
