"use strict";

const { shiftHours } = require("./shift-hours.js");
const { needsBreak } = require("./needs-break.js");
const { nightBonus } = require("./night-bonus.js");
const { overtimePay } = require("./overtime-pay.js");
const { weeklyRest } = require("./weekly-rest.js");
const { MAX_DUTY_HOURS } = require("./max-duty-hours.js");

/** The figures of crew in the monthly report. */
function crewReport() {
  return [
    shiftHours(22, 6),
    shiftHours(21, 6),
    shiftHours(23, 6),
    shiftHours(44, 6),
    shiftHours(11, 6),
    shiftHours(22, 5),
    needsBreak(270),
    needsBreak(269),
    needsBreak(271),
    needsBreak(540),
    needsBreak(135),
    nightBonus(4, 24),
    nightBonus(3, 24),
    nightBonus(5, 24),
    nightBonus(8, 24),
    nightBonus(2, 24),
    nightBonus(4, 23),
    overtimePay(9, 20),
    overtimePay(8, 20),
    overtimePay(10, 20),
    overtimePay(18, 20),
    overtimePay(4, 20),
    overtimePay(9, 19),
    weeklyRest(6),
    weeklyRest(5),
    weeklyRest(7),
    weeklyRest(12),
    weeklyRest(3),
    MAX_DUTY_HOURS,
  ];
}

module.exports = { crewReport };
