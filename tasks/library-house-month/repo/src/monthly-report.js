"use strict";

const { roomsReport } = require("./rooms/rooms-report.js");
const { eventsReport } = require("./events/events-report.js");
const { holdsReport } = require("./holds/holds-report.js");

/** Every figure of the month, in order. */
function monthlyReport() {
  return [...roomsReport(), ...eventsReport(), ...holdsReport()];
}

module.exports = { monthlyReport };
