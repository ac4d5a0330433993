"use strict";

const { headway } = require("./headway.js");
const { arrivalMinute } = require("./arrival-minute.js");
const { isPeak } = require("./is-peak.js");
const { wrapMinute } = require("./wrap-minute.js");
const { tripsNeeded } = require("./trips-needed.js");
const { LAYOVER_MINUTES } = require("./layover-minutes.js");
const { cycleMinutes } = require("./cycle-minutes.js");
const { fleetSize } = require("./fleet-size.js");

/** The figures of schedule in the monthly report. */
function scheduleReport() {
  return [
    headway(12),
    headway(11),
    headway(13),
    headway(24),
    headway(6),
    arrivalMinute(480, 22, 3),
    arrivalMinute(479, 22, 3),
    arrivalMinute(481, 22, 3),
    arrivalMinute(960, 22, 3),
    arrivalMinute(240, 22, 3),
    arrivalMinute(480, 21, 3),
    isPeak(7),
    isPeak(6),
    isPeak(8),
    isPeak(14),
    isPeak(3),
    wrapMinute(1450),
    wrapMinute(1449),
    wrapMinute(1451),
    wrapMinute(2900),
    wrapMinute(725),
    tripsNeeded(310, 75),
    tripsNeeded(309, 75),
    tripsNeeded(311, 75),
    tripsNeeded(620, 75),
    tripsNeeded(155, 75),
    tripsNeeded(310, 74),
    LAYOVER_MINUTES,
    cycleMinutes(30, 34, 8),
    cycleMinutes(29, 34, 8),
    cycleMinutes(31, 34, 8),
    cycleMinutes(60, 34, 8),
    cycleMinutes(15, 34, 8),
    cycleMinutes(30, 33, 8),
    fleetSize(80, 12),
    fleetSize(79, 12),
    fleetSize(81, 12),
    fleetSize(160, 12),
    fleetSize(40, 12),
    fleetSize(80, 11),
  ];
}

module.exports = { scheduleReport };
