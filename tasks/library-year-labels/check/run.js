"use strict";

const assert = require("node:assert");
const all = {
  ...require("../src/loans/due-day.js"),
  ...require("../src/loans/is-overdue.js"),
  ...require("../src/loans/renewals-left.js"),
  ...require("../src/loans/loan-days.js"),
  ...require("../src/loans/max-loans.js"),
  ...require("../src/loans/can-borrow.js"),
  ...require("../src/catalog/shelf-code.js"),
  ...require("../src/catalog/sort-title.js"),
  ...require("../src/catalog/is-reference.js"),
  ...require("../src/catalog/check-digit.js"),
  ...require("../src/catalog/year-gap.js"),
  ...require("../src/catalog/label-width.js"),
  ...require("../src/rooms/seat-hours.js"),
  ...require("../src/rooms/occupancy.js"),
  ...require("../src/rooms/overlaps.js"),
  ...require("../src/rooms/room-fee.js"),
  ...require("../src/rooms/slot-count.js"),
  ...require("../src/holds/queue-days.js"),
  ...require("../src/holds/pickup-until.js"),
  ...require("../src/holds/needs-copies.js"),
  ...require("../src/holds/hold-priority.js"),
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

check("dueDay(12, 28)", () => same(all.dueDay(12, 28), 40));
check("dueDay(11, 28)", () => same(all.dueDay(11, 28), 39));
check("dueDay(13, 28)", () => same(all.dueDay(13, 28), 41));
check("dueDay(24, 28)", () => same(all.dueDay(24, 28), 52));
check("dueDay(6, 28)", () => same(all.dueDay(6, 28), 34));
check("dueDay(12, 27)", () => same(all.dueDay(12, 27), 39));
check("dueDay(12, 29)", () => same(all.dueDay(12, 29), 41));
check("dueDay(12, 56)", () => same(all.dueDay(12, 56), 68));
check("dueDay(12, 14)", () => same(all.dueDay(12, 14), 26));
check("isOverdue(40, 40)", () => same(all.isOverdue(40, 40), false));
check("isOverdue(39, 40)", () => same(all.isOverdue(39, 40), false));
check("isOverdue(41, 40)", () => same(all.isOverdue(41, 40), true));
check("isOverdue(80, 40)", () => same(all.isOverdue(80, 40), true));
check("isOverdue(20, 40)", () => same(all.isOverdue(20, 40), false));
check("isOverdue(40, 39)", () => same(all.isOverdue(40, 39), true));
check("isOverdue(40, 41)", () => same(all.isOverdue(40, 41), false));
check("isOverdue(40, 80)", () => same(all.isOverdue(40, 80), false));
check("isOverdue(40, 20)", () => same(all.isOverdue(40, 20), true));
check("renewalsLeft(1)", () => same(all.renewalsLeft(1), 2));
check("renewalsLeft(0)", () => same(all.renewalsLeft(0), 3));
check("renewalsLeft(2)", () => same(all.renewalsLeft(2), 1));
check("renewalsLeft(2)", () => same(all.renewalsLeft(2), 1));
check("renewalsLeft(0)", () => same(all.renewalsLeft(0), 3));
check("loanDays(true)", () => same(all.loanDays(true), 14));
check("loanDays(false)", () => same(all.loanDays(false), 28));
check("MAX_LOANS", () => assert.strictEqual(all.MAX_LOANS, 20));
check("canBorrow(20, 20, 0)", () => same(all.canBorrow(20, 20, 0), false));
check("canBorrow(19, 20, 0)", () => same(all.canBorrow(19, 20, 0), true));
check("canBorrow(21, 20, 0)", () => same(all.canBorrow(21, 20, 0), false));
check("canBorrow(40, 20, 0)", () => same(all.canBorrow(40, 20, 0), false));
check("canBorrow(10, 20, 0)", () => same(all.canBorrow(10, 20, 0), true));
check("canBorrow(20, 19, 0)", () => same(all.canBorrow(20, 19, 0), false));
check("canBorrow(20, 21, 0)", () => same(all.canBorrow(20, 21, 0), true));
check("canBorrow(20, 40, 0)", () => same(all.canBorrow(20, 40, 0), true));
check("canBorrow(20, 10, 0)", () => same(all.canBorrow(20, 10, 0), false));
check("canBorrow(20, 20, -1)", () => same(all.canBorrow(20, 20, -1), false));
check("canBorrow(20, 20, 1)", () => same(all.canBorrow(20, 20, 1), false));
check("canBorrow(20, 20, 0)", () => same(all.canBorrow(20, 20, 0), false));
check("canBorrow(20, 20, 0)", () => same(all.canBorrow(20, 20, 0), false));
check("shelfCode(HIS, Braudel)", () => same(all.shelfCode("HIS", "Braudel"), "HIS-BRA"));
check("sortTitle(An Island)", () => same(all.sortTitle("An Island"), "Island"));
check("sortTitle(The Sea)", () => same(all.sortTitle("The Sea"), "Sea"));
check("sortTitle(A Day)", () => same(all.sortTitle("A Day"), "Day"));
check("sortTitle(Dune)", () => same(all.sortTitle("Dune"), "Dune"));
check("isReference(R-220)", () => same(all.isReference("R-220"), true));
check("isReference(220-R)", () => same(all.isReference("220-R"), false));
check("isReference(K-1)", () => same(all.isReference("K-1"), false));
check("checkDigit(74)", () => same(all.checkDigit(74), 3));
check("checkDigit(73)", () => same(all.checkDigit(73), 4));
check("checkDigit(75)", () => same(all.checkDigit(75), 2));
check("checkDigit(148)", () => same(all.checkDigit(148), 6));
check("checkDigit(37)", () => same(all.checkDigit(37), 7));
check("yearGap(2024, 1987)", () => same(all.yearGap(2024, 1987), 37));
check("yearGap(2023, 1987)", () => same(all.yearGap(2023, 1987), 36));
check("yearGap(2025, 1987)", () => same(all.yearGap(2025, 1987), 38));
check("yearGap(4048, 1987)", () => same(all.yearGap(4048, 1987), 2061));
check("yearGap(1012, 1987)", () => same(all.yearGap(1012, 1987), -975));
check("yearGap(2024, 1986)", () => same(all.yearGap(2024, 1986), 38));
check("yearGap(2024, 1988)", () => same(all.yearGap(2024, 1988), 36));
check("yearGap(2024, 3974)", () => same(all.yearGap(2024, 3974), -1950));
check("yearGap(2024, 993)", () => same(all.yearGap(2024, 993), 1031));
check("LABEL_WIDTH", () => assert.strictEqual(all.LABEL_WIDTH, 34));
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

console.log(failures === 0 ? "all tests passed" : failures + " failed");
if (failures > 0) process.exitCode = 1;
