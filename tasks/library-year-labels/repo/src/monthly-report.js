"use strict";

const { loansReport } = require("./loans/loans-report.js");
const { catalogReport } = require("./catalog/catalog-report.js");
const { roomsReport } = require("./rooms/rooms-report.js");
const { holdsReport } = require("./holds/holds-report.js");

/** Every figure of the month, in order. */
function monthlyReport() {
  return [...loansReport(), ...catalogReport(), ...roomsReport(), ...holdsReport()];
}

module.exports = { monthlyReport };
