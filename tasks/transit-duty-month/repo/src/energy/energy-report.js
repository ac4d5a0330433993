"use strict";

const { tractionKwh } = require("./traction-kwh.js");
const { rangeKm } = require("./range-km.js");
const { chargeHours } = require("./charge-hours.js");
const { RESERVE_PERCENT } = require("./reserve-percent.js");
const { heatingKwh } = require("./heating-kwh.js");

/** The figures of energy in the monthly report. */
function energyReport() {
  return [
    tractionKwh(180, 1.4),
    tractionKwh(179, 1.4),
    tractionKwh(181, 1.4),
    tractionKwh(360, 1.4),
    tractionKwh(90, 1.4),
    tractionKwh(180, 0.3999999999999999),
    rangeKm(350, 35, 1.4),
    rangeKm(349, 35, 1.4),
    rangeKm(351, 35, 1.4),
    rangeKm(700, 35, 1.4),
    rangeKm(175, 35, 1.4),
    rangeKm(350, 34, 1.4),
    chargeHours(180, 100),
    chargeHours(179, 100),
    chargeHours(181, 100),
    chargeHours(360, 100),
    chargeHours(90, 100),
    chargeHours(180, 99),
    RESERVE_PERCENT,
    heatingKwh(12, 5),
    heatingKwh(11, 5),
    heatingKwh(13, 5),
    heatingKwh(24, 5),
    heatingKwh(6, 5),
    heatingKwh(12, 4),
  ];
}

module.exports = { energyReport };
