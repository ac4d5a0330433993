"use strict";

const { costPerLoan } = require("./cost-per-loan.js");
const { discounted } = require("./discounted.js");
const { remaining } = require("./remaining.js");
const { shareOf } = require("./share-of.js");
const { FISCAL_WEEKS } = require("./fiscal-weeks.js");

/** The figures of budget in the monthly report. */
function budgetReport() {
  return [
    costPerLoan(9000, 30000),
    costPerLoan(8999, 30000),
    costPerLoan(9001, 30000),
    costPerLoan(18000, 30000),
    costPerLoan(4500, 30000),
    costPerLoan(9000, 29999),
    discounted(20, 5),
    discounted(19, 5),
    discounted(21, 5),
    discounted(40, 5),
    discounted(10, 5),
    discounted(20, 4),
    remaining(5000, 3200, 700),
    remaining(4999, 3200, 700),
    remaining(5001, 3200, 700),
    remaining(10000, 3200, 700),
    remaining(2500, 3200, 700),
    remaining(5000, 3199, 700),
    shareOf(300, 1200),
    shareOf(299, 1200),
    shareOf(301, 1200),
    shareOf(600, 1200),
    shareOf(150, 1200),
    shareOf(300, 1199),
    FISCAL_WEEKS,
  ];
}

module.exports = { budgetReport };
