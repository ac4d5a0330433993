"use strict";

const { dueDay } = require("./due-day.js");
const { isOverdue } = require("./is-overdue.js");
const { renewalsLeft } = require("./renewals-left.js");
const { loanDays } = require("./loan-days.js");
const { MAX_LOANS } = require("./max-loans.js");
const { canBorrow } = require("./can-borrow.js");

/** The figures of loans in the monthly report. */
function loansReport() {
  return [
    dueDay(12, 28),
    dueDay(11, 28),
    dueDay(13, 28),
    dueDay(24, 28),
    dueDay(6, 28),
    dueDay(12, 27),
    isOverdue(40, 40),
    isOverdue(39, 40),
    isOverdue(41, 40),
    isOverdue(80, 40),
    isOverdue(20, 40),
    isOverdue(40, 39),
    renewalsLeft(1),
    renewalsLeft(0),
    renewalsLeft(2),
    renewalsLeft(2),
    renewalsLeft(0),
    loanDays(true),
    loanDays(false),
    MAX_LOANS,
    canBorrow(20, 20, 0),
    canBorrow(19, 20, 0),
    canBorrow(21, 20, 0),
    canBorrow(40, 20, 0),
    canBorrow(10, 20, 0),
    canBorrow(20, 19, 0),
  ];
}

module.exports = { loansReport };
