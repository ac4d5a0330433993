"use strict";

const { loansReport } = require("./loans/loans-report.js");
const { finesReport } = require("./fines/fines-report.js");
const { holdsReport } = require("./holds/holds-report.js");
const { budgetReport } = require("./budget/budget-report.js");
const { eventsReport } = require("./events/events-report.js");

/** Every figure of the month, in order. */
function monthlyReport() {
  return [...loansReport(), ...finesReport(), ...holdsReport(), ...budgetReport(), ...eventsReport()];
}

module.exports = { monthlyReport };
