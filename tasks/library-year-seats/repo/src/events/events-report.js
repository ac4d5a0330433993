"use strict";

const { seatsFree } = require("./seats-free.js");
const { waitPosition } = require("./wait-position.js");
const { breakAfter } = require("./break-after.js");
const { ticketPrice } = require("./ticket-price.js");

/** The figures of events in the monthly report. */
function eventsReport() {
  return [
    seatsFree(80, 60, 5),
    seatsFree(79, 60, 5),
    seatsFree(81, 60, 5),
    seatsFree(160, 60, 5),
    seatsFree(40, 60, 5),
    seatsFree(80, 59, 5),
    waitPosition(70, 80),
    waitPosition(69, 80),
    waitPosition(71, 80),
    waitPosition(140, 80),
    waitPosition(35, 80),
    waitPosition(70, 79),
    breakAfter(75),
    breakAfter(74),
    breakAfter(76),
    breakAfter(150),
    breakAfter(37),
    ticketPrice(12, true),
    ticketPrice(11, true),
    ticketPrice(13, true),
    ticketPrice(24, true),
    ticketPrice(6, true),
    ticketPrice(12, false),
  ];
}

module.exports = { eventsReport };
