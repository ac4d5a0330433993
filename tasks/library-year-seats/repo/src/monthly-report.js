"use strict";

const { finesReport } = require("./fines/fines-report.js");
const { catalogReport } = require("./catalog/catalog-report.js");
const { eventsReport } = require("./events/events-report.js");
const { roomsReport } = require("./rooms/rooms-report.js");

/** Every figure of the month, in order. */
function monthlyReport() {
  return [...finesReport(), ...catalogReport(), ...eventsReport(), ...roomsReport()];
}

module.exports = { monthlyReport };
