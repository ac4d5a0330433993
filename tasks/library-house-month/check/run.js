"use strict";

const assert = require("node:assert");
const all = {
  ...require("../src/rooms/seat-hours.js"),
  ...require("../src/rooms/occupancy.js"),
  ...require("../src/rooms/overlaps.js"),
  ...require("../src/rooms/room-fee.js"),
  ...require("../src/rooms/slot-count.js"),
  ...require("../src/holds/queue-days.js"),
  ...require("../src/holds/pickup-until.js"),
  ...require("../src/holds/needs-copies.js"),
  ...require("../src/holds/hold-priority.js"),
  ...require("../src/events/seats-free.js"),
  ...require("../src/events/wait-position.js"),
  ...require("../src/events/break-after.js"),
  ...require("../src/events/ticket-price.js"),
};

let failures = 0;
function check(name, body) {
  try {
    body();
  } catch (error) {
    failures++;
    console.log("FAIL " + name + ": " + error.message.split("\n")[0]);
  }
}
function same(got, wanted) {
  if (typeof wanted === "number" && Math.abs(got - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted))) return;
  assert.ok(Object.is(got, wanted), "expected " + wanted + ", got " + got);
}

check("seatHours(12, 9)", () => same(all.seatHours(12, 9), 108));
check("seatHours(11, 9)", () => same(all.seatHours(11, 9), 99));
check("seatHours(13, 9)", () => same(all.seatHours(13, 9), 117));
check("seatHours(24, 9)", () => same(all.seatHours(24, 9), 216));
check("seatHours(6, 9)", () => same(all.seatHours(6, 9), 54));
check("seatHours(12, 8)", () => same(all.seatHours(12, 8), 96));
check("seatHours(12, 10)", () => same(all.seatHours(12, 10), 120));
check("seatHours(12, 18)", () => same(all.seatHours(12, 18), 216));
check("seatHours(12, 4)", () => same(all.seatHours(12, 4), 48));
check("occupancy(45, 60)", () => same(all.occupancy(45, 60), 0.75));
check("occupancy(44, 60)", () => same(all.occupancy(44, 60), 0.7333333333333333));
check("occupancy(46, 60)", () => same(all.occupancy(46, 60), 0.7666666666666667));
check("occupancy(90, 60)", () => same(all.occupancy(90, 60), 1.5));
check("occupancy(22, 60)", () => same(all.occupancy(22, 60), 0.36666666666666664));
check("occupancy(45, 59)", () => same(all.occupancy(45, 59), 0.7627118644067796));
check("occupancy(45, 61)", () => same(all.occupancy(45, 61), 0.7377049180327869));
check("occupancy(45, 120)", () => same(all.occupancy(45, 120), 0.375));
check("occupancy(45, 30)", () => same(all.occupancy(45, 30), 1.5));
check("overlaps(9, 11, 11, 12)", () => same(all.overlaps(9, 11, 11, 12), false));
check("overlaps(8, 11, 11, 12)", () => same(all.overlaps(8, 11, 11, 12), false));
check("overlaps(10, 11, 11, 12)", () => same(all.overlaps(10, 11, 11, 12), false));
check("overlaps(18, 11, 11, 12)", () => same(all.overlaps(18, 11, 11, 12), false));
check("overlaps(4, 11, 11, 12)", () => same(all.overlaps(4, 11, 11, 12), false));
check("overlaps(9, 10, 11, 12)", () => same(all.overlaps(9, 10, 11, 12), false));
check("overlaps(9, 12, 11, 12)", () => same(all.overlaps(9, 12, 11, 12), true));
check("overlaps(9, 22, 11, 12)", () => same(all.overlaps(9, 22, 11, 12), true));
check("overlaps(9, 5, 11, 12)", () => same(all.overlaps(9, 5, 11, 12), false));
check("overlaps(9, 11, 10, 12)", () => same(all.overlaps(9, 11, 10, 12), true));
check("overlaps(9, 11, 12, 12)", () => same(all.overlaps(9, 11, 12, 12), false));
check("overlaps(9, 11, 22, 12)", () => same(all.overlaps(9, 11, 22, 12), false));
check("overlaps(9, 11, 5, 12)", () => same(all.overlaps(9, 11, 5, 12), true));
check("overlaps(9, 11, 11, 11)", () => same(all.overlaps(9, 11, 11, 11), false));
check("roomFee(3, true)", () => same(all.roomFee(3, true), 0));
check("roomFee(2, true)", () => same(all.roomFee(2, true), 0));
check("roomFee(4, true)", () => same(all.roomFee(4, true), 0));
check("roomFee(6, true)", () => same(all.roomFee(6, true), 0));
check("roomFee(1, true)", () => same(all.roomFee(1, true), 0));
check("roomFee(3, false)", () => same(all.roomFee(3, false), 15));
check("slotCount(9, 17, 45)", () => same(all.slotCount(9, 17, 45), 10));
check("slotCount(8, 17, 45)", () => same(all.slotCount(8, 17, 45), 12));
check("slotCount(10, 17, 45)", () => same(all.slotCount(10, 17, 45), 9));
check("slotCount(18, 17, 45)", () => same(all.slotCount(18, 17, 45), -2));
check("slotCount(4, 17, 45)", () => same(all.slotCount(4, 17, 45), 17));
check("slotCount(9, 16, 45)", () => same(all.slotCount(9, 16, 45), 9));
check("slotCount(9, 18, 45)", () => same(all.slotCount(9, 18, 45), 12));
check("slotCount(9, 34, 45)", () => same(all.slotCount(9, 34, 45), 33));
check("slotCount(9, 8, 45)", () => same(all.slotCount(9, 8, 45), -2));
check("slotCount(9, 17, 44)", () => same(all.slotCount(9, 17, 44), 10));
check("slotCount(9, 17, 46)", () => same(all.slotCount(9, 17, 46), 10));
check("slotCount(9, 17, 90)", () => same(all.slotCount(9, 17, 90), 5));
check("slotCount(9, 17, 22)", () => same(all.slotCount(9, 17, 22), 21));
check("queueDays(5, 28, 2)", () => same(all.queueDays(5, 28, 2), 84));
check("queueDays(4, 28, 2)", () => same(all.queueDays(4, 28, 2), 56));
check("queueDays(6, 28, 2)", () => same(all.queueDays(6, 28, 2), 84));
check("queueDays(10, 28, 2)", () => same(all.queueDays(10, 28, 2), 140));
check("queueDays(2, 28, 2)", () => same(all.queueDays(2, 28, 2), 28));
check("queueDays(5, 27, 2)", () => same(all.queueDays(5, 27, 2), 81));
check("queueDays(5, 29, 2)", () => same(all.queueDays(5, 29, 2), 87));
check("queueDays(5, 56, 2)", () => same(all.queueDays(5, 56, 2), 168));
check("queueDays(5, 14, 2)", () => same(all.queueDays(5, 14, 2), 42));
check("queueDays(5, 28, 1)", () => same(all.queueDays(5, 28, 1), 140));
check("queueDays(5, 28, 3)", () => same(all.queueDays(5, 28, 3), 56));
check("queueDays(5, 28, 4)", () => same(all.queueDays(5, 28, 4), 56));
check("queueDays(5, 28, 1)", () => same(all.queueDays(5, 28, 1), 140));
check("pickupUntil(100)", () => same(all.pickupUntil(100), 107));
check("pickupUntil(99)", () => same(all.pickupUntil(99), 106));
check("pickupUntil(101)", () => same(all.pickupUntil(101), 108));
check("pickupUntil(200)", () => same(all.pickupUntil(200), 207));
check("pickupUntil(50)", () => same(all.pickupUntil(50), 57));
check("needsCopies(9, 2)", () => same(all.needsCopies(9, 2), true));
check("needsCopies(8, 2)", () => same(all.needsCopies(8, 2), false));
check("needsCopies(10, 2)", () => same(all.needsCopies(10, 2), true));
check("needsCopies(18, 2)", () => same(all.needsCopies(18, 2), true));
check("needsCopies(4, 2)", () => same(all.needsCopies(4, 2), false));
check("needsCopies(9, 1)", () => same(all.needsCopies(9, 1), true));
check("needsCopies(9, 3)", () => same(all.needsCopies(9, 3), false));
check("needsCopies(9, 4)", () => same(all.needsCopies(9, 4), false));
check("needsCopies(9, 1)", () => same(all.needsCopies(9, 1), true));
check("holdPriority(true, 3)", () => same(all.holdPriority(true, 3), -97));
check("holdPriority(false, 3)", () => same(all.holdPriority(false, 3), 3));
check("holdPriority(true, 2)", () => same(all.holdPriority(true, 2), -98));
check("holdPriority(true, 4)", () => same(all.holdPriority(true, 4), -96));
check("holdPriority(true, 6)", () => same(all.holdPriority(true, 6), -94));
check("holdPriority(true, 1)", () => same(all.holdPriority(true, 1), -99));
check("seatsFree(80, 60, 5)", () => same(all.seatsFree(80, 60, 5), 15));
check("seatsFree(79, 60, 5)", () => same(all.seatsFree(79, 60, 5), 14));
check("seatsFree(81, 60, 5)", () => same(all.seatsFree(81, 60, 5), 16));
check("seatsFree(160, 60, 5)", () => same(all.seatsFree(160, 60, 5), 95));
check("seatsFree(40, 60, 5)", () => same(all.seatsFree(40, 60, 5), -25));
check("seatsFree(80, 59, 5)", () => same(all.seatsFree(80, 59, 5), 16));
check("seatsFree(80, 61, 5)", () => same(all.seatsFree(80, 61, 5), 14));
check("seatsFree(80, 120, 5)", () => same(all.seatsFree(80, 120, 5), -45));
check("seatsFree(80, 30, 5)", () => same(all.seatsFree(80, 30, 5), 45));
check("seatsFree(80, 60, 4)", () => same(all.seatsFree(80, 60, 4), 16));
check("seatsFree(80, 60, 6)", () => same(all.seatsFree(80, 60, 6), 14));
check("seatsFree(80, 60, 10)", () => same(all.seatsFree(80, 60, 10), 10));
check("seatsFree(80, 60, 2)", () => same(all.seatsFree(80, 60, 2), 18));
check("waitPosition(70, 80)", () => same(all.waitPosition(70, 80), 0));
check("waitPosition(69, 80)", () => same(all.waitPosition(69, 80), 0));
check("waitPosition(71, 80)", () => same(all.waitPosition(71, 80), 0));
check("waitPosition(140, 80)", () => same(all.waitPosition(140, 80), 60));
check("waitPosition(35, 80)", () => same(all.waitPosition(35, 80), 0));
check("waitPosition(70, 79)", () => same(all.waitPosition(70, 79), 0));
check("waitPosition(70, 81)", () => same(all.waitPosition(70, 81), 0));
check("waitPosition(70, 160)", () => same(all.waitPosition(70, 160), 0));
check("waitPosition(70, 40)", () => same(all.waitPosition(70, 40), 30));
check("breakAfter(75)", () => same(all.breakAfter(75), false));
check("breakAfter(74)", () => same(all.breakAfter(74), false));
check("breakAfter(76)", () => same(all.breakAfter(76), false));
check("breakAfter(150)", () => same(all.breakAfter(150), true));
check("breakAfter(37)", () => same(all.breakAfter(37), false));
check("ticketPrice(12, true)", () => same(all.ticketPrice(12, true), 6));
check("ticketPrice(11, true)", () => same(all.ticketPrice(11, true), 5.5));
check("ticketPrice(13, true)", () => same(all.ticketPrice(13, true), 6.5));
check("ticketPrice(24, true)", () => same(all.ticketPrice(24, true), 12));
check("ticketPrice(6, true)", () => same(all.ticketPrice(6, true), 3));
check("ticketPrice(12, false)", () => same(all.ticketPrice(12, false), 12));

console.log(failures === 0 ? "all tests passed" : failures + " failed");
if (failures > 0) process.exitCode = 1;
