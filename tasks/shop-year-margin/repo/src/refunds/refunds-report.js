"use strict";

const { refundable } = require("./refundable.js");
const { restockingFee } = require("./restocking-fee.js");
const { refundAmount } = require("./refund-amount.js");
const { storeCredit } = require("./store-credit.js");
const { refundDays } = require("./refund-days.js");

/** The figures of refunds in the monthly report. */
function refundsReport() {
  return [
    refundable(30),
    refundable(29),
    refundable(31),
    refundable(60),
    refundable(15),
    restockingFee(60, true),
    restockingFee(59, true),
    restockingFee(61, true),
    restockingFee(120, true),
    restockingFee(30, true),
    restockingFee(60, false),
    refundAmount(60, 9),
    refundAmount(59, 9),
    refundAmount(61, 9),
    refundAmount(120, 9),
    refundAmount(30, 9),
    refundAmount(60, 8),
    storeCredit(50),
    storeCredit(49),
    storeCredit(51),
    storeCredit(100),
    storeCredit(25),
    refundDays("card"),
    refundDays("cash"),
  ];
}

module.exports = { refundsReport };
