"use strict";

const { fine } = require("./fine.js");
const { fineAfterGrace } = require("./fine-after-grace.js");
const { lostFee } = require("./lost-fee.js");
const { juniorFine } = require("./junior-fine.js");
const { isBlocked } = require("./is-blocked.js");
const { instalment } = require("./instalment.js");

/** The figures of fines in the monthly report. */
function finesReport() {
  return [
    fine(6),
    fine(5),
    fine(7),
    fine(12),
    fine(3),
    fineAfterGrace(2, 5),
    fineAfterGrace(1, 5),
    fineAfterGrace(3, 5),
    fineAfterGrace(4, 5),
    fineAfterGrace(1, 5),
    fineAfterGrace(2, 4),
    lostFee(30, 5),
    lostFee(29, 5),
    lostFee(31, 5),
    lostFee(60, 5),
    lostFee(15, 5),
    lostFee(30, 4),
    juniorFine(4, 15),
    juniorFine(3, 15),
    juniorFine(5, 15),
    juniorFine(8, 15),
    juniorFine(2, 15),
    juniorFine(4, 14),
    isBlocked(10),
    isBlocked(9),
    isBlocked(11),
    isBlocked(20),
    isBlocked(5),
    instalment(50, 12),
    instalment(49, 12),
    instalment(51, 12),
    instalment(100, 12),
    instalment(25, 12),
    instalment(50, 11),
  ];
}

module.exports = { finesReport };
