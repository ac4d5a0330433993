"use strict";

const { zoneFare } = require("./zone-fare.js");
const { childFare } = require("./child-fare.js");
const { transferFare } = require("./transfer-fare.js");
const { dayCap } = require("./day-cap.js");
const { groupFare } = require("./group-fare.js");
const { penalty } = require("./penalty.js");
const { PASS_DAYS } = require("./pass-days.js");

/** The figures of fares in the monthly report. */
function faresReport() {
  return [
    zoneFare(4),
    zoneFare(3),
    zoneFare(5),
    zoneFare(8),
    zoneFare(2),
    childFare(3, 9),
    childFare(2, 9),
    childFare(4, 9),
    childFare(6, 9),
    childFare(1, 9),
    childFare(3, 8),
    transferFare(3, 75),
    transferFare(2, 75),
    transferFare(4, 75),
    transferFare(6, 75),
    transferFare(1, 75),
    transferFare(3, 74),
    dayCap(14, 9),
    dayCap(13, 9),
    dayCap(15, 9),
    dayCap(28, 9),
    dayCap(7, 9),
    dayCap(14, 8),
    groupFare(3, 10),
    groupFare(2, 10),
    groupFare(4, 10),
    groupFare(6, 10),
    groupFare(1, 10),
    groupFare(3, 9),
    penalty(2),
    penalty(1),
    penalty(3),
    penalty(4),
    penalty(1),
    PASS_DAYS,
  ];
}

module.exports = { faresReport };
