"use strict";

const { punctuality } = require("./punctuality.js");
const { isLate } = require("./is-late.js");
const { crowding } = require("./crowding.js");
const { compensation } = require("./compensation.js");

/** The figures of quality in the monthly report. */
function qualityReport() {
  return [
    punctuality(930, 1000),
    punctuality(929, 1000),
    punctuality(931, 1000),
    punctuality(1860, 1000),
    punctuality(465, 1000),
    punctuality(930, 999),
    isLate(5),
    isLate(4),
    isLate(6),
    isLate(10),
    isLate(2),
    crowding(90, 60),
    crowding(89, 60),
    crowding(91, 60),
    crowding(180, 60),
    crowding(45, 60),
    crowding(90, 59),
    compensation(8, 35),
    compensation(7, 35),
    compensation(9, 35),
    compensation(16, 35),
    compensation(4, 35),
    compensation(8, 34),
  ];
}

module.exports = { qualityReport };
