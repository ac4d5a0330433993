"use strict";

const { queueDays } = require("./queue-days.js");
const { pickupUntil } = require("./pickup-until.js");
const { needsCopies } = require("./needs-copies.js");
const { holdPriority } = require("./hold-priority.js");

/** The figures of holds in the monthly report. */
function holdsReport() {
  return [
    queueDays(5, 28, 2),
    queueDays(4, 28, 2),
    queueDays(6, 28, 2),
    queueDays(10, 28, 2),
    queueDays(2, 28, 2),
    queueDays(5, 27, 2),
    pickupUntil(100),
    pickupUntil(99),
    pickupUntil(101),
    pickupUntil(200),
    pickupUntil(50),
    needsCopies(9, 2),
    needsCopies(8, 2),
    needsCopies(10, 2),
    needsCopies(18, 2),
    needsCopies(4, 2),
    needsCopies(9, 1),
    holdPriority(true, 3),
    holdPriority(false, 3),
    holdPriority(true, 2),
    holdPriority(true, 4),
    holdPriority(true, 6),
    holdPriority(true, 1),
  ];
}

module.exports = { holdsReport };
