"use strict";

const { reorderLevel } = require("./reorder-level.js");
const { isLow } = require("./is-low.js");
const { available } = require("./available.js");
const { turnover } = require("./turnover.js");
const { backorder } = require("./backorder.js");
const { SHELF_LIMIT } = require("./shelf-limit.js");
const { shelvesFor } = require("./shelves-for.js");

/** The figures of stock in the monthly report. */
function stockReport() {
  return [
    reorderLevel(8, 5, 12),
    reorderLevel(7, 5, 12),
    reorderLevel(9, 5, 12),
    reorderLevel(16, 5, 12),
    reorderLevel(4, 5, 12),
    reorderLevel(8, 4, 12),
    isLow(12, 12),
    isLow(11, 12),
    isLow(13, 12),
    isLow(24, 12),
    isLow(6, 12),
    isLow(12, 11),
    available(40, 15),
    available(39, 15),
    available(41, 15),
    available(80, 15),
    available(20, 15),
    available(40, 14),
    turnover(360, 60),
    turnover(359, 60),
    turnover(361, 60),
    turnover(720, 60),
    turnover(180, 60),
    turnover(360, 59),
    backorder(3, 9),
    backorder(2, 9),
    backorder(4, 9),
    backorder(6, 9),
    backorder(1, 9),
    backorder(3, 8),
    SHELF_LIMIT,
    shelvesFor(500, 240),
    shelvesFor(499, 240),
    shelvesFor(501, 240),
    shelvesFor(1000, 240),
    shelvesFor(250, 240),
    shelvesFor(500, 239),
  ];
}

module.exports = { stockReport };
