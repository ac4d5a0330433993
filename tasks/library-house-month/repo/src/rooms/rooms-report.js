"use strict";

const { seatHours } = require("./seat-hours.js");
const { occupancy } = require("./occupancy.js");
const { overlaps } = require("./overlaps.js");
const { roomFee } = require("./room-fee.js");
const { slotCount } = require("./slot-count.js");

/** The figures of rooms in the monthly report. */
function roomsReport() {
  return [
    seatHours(12, 9),
    seatHours(11, 9),
    seatHours(13, 9),
    seatHours(24, 9),
    seatHours(6, 9),
    seatHours(12, 8),
    occupancy(45, 60),
    occupancy(44, 60),
    occupancy(46, 60),
    occupancy(90, 60),
    occupancy(22, 60),
    occupancy(45, 59),
    overlaps(9, 11, 11, 12),
    overlaps(8, 11, 11, 12),
    overlaps(10, 11, 11, 12),
    overlaps(18, 11, 11, 12),
    overlaps(4, 11, 11, 12),
    overlaps(9, 10, 11, 12),
    roomFee(3, true),
    roomFee(2, true),
    roomFee(4, true),
    roomFee(6, true),
    roomFee(1, true),
    roomFee(3, false),
    slotCount(9, 17, 45),
    slotCount(8, 17, 45),
    slotCount(10, 17, 45),
    slotCount(18, 17, 45),
    slotCount(4, 17, 45),
    slotCount(9, 16, 45),
  ];
}

module.exports = { roomsReport };
