"use strict";

const assert = require("node:assert");
const all = {
  ...require("../src/fines/fine.js"),
  ...require("../src/fines/fine-after-grace.js"),
  ...require("../src/fines/lost-fee.js"),
  ...require("../src/fines/junior-fine.js"),
  ...require("../src/fines/is-blocked.js"),
  ...require("../src/fines/instalment.js"),
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

check("fine(6)", () => same(all.fine(6), 1.5));
check("fine(5)", () => same(all.fine(5), 1.25));
check("fine(7)", () => same(all.fine(7), 1.75));
check("fine(12)", () => same(all.fine(12), 3));
check("fine(3)", () => same(all.fine(3), 0.75));
check("fineAfterGrace(2, 5)", () => same(all.fineAfterGrace(2, 5), 0));
check("fineAfterGrace(1, 5)", () => same(all.fineAfterGrace(1, 5), 0));
check("fineAfterGrace(3, 5)", () => same(all.fineAfterGrace(3, 5), 0));
check("fineAfterGrace(4, 5)", () => same(all.fineAfterGrace(4, 5), 0));
check("fineAfterGrace(1, 5)", () => same(all.fineAfterGrace(1, 5), 0));
check("fineAfterGrace(2, 4)", () => same(all.fineAfterGrace(2, 4), 0));
check("fineAfterGrace(2, 6)", () => same(all.fineAfterGrace(2, 6), 0));
check("fineAfterGrace(2, 10)", () => same(all.fineAfterGrace(2, 10), 0));
check("fineAfterGrace(2, 2)", () => same(all.fineAfterGrace(2, 2), 0));
check("lostFee(30, 5)", () => same(all.lostFee(30, 5), 35));
check("lostFee(29, 5)", () => same(all.lostFee(29, 5), 34));
check("lostFee(31, 5)", () => same(all.lostFee(31, 5), 36));
check("lostFee(60, 5)", () => same(all.lostFee(60, 5), 65));
check("lostFee(15, 5)", () => same(all.lostFee(15, 5), 20));
check("lostFee(30, 4)", () => same(all.lostFee(30, 4), 34));
check("lostFee(30, 6)", () => same(all.lostFee(30, 6), 36));
check("lostFee(30, 10)", () => same(all.lostFee(30, 10), 40));
check("lostFee(30, 2)", () => same(all.lostFee(30, 2), 32));
check("juniorFine(4, 15)", () => same(all.juniorFine(4, 15), 4));
check("juniorFine(3, 15)", () => same(all.juniorFine(3, 15), 3));
check("juniorFine(5, 15)", () => same(all.juniorFine(5, 15), 5));
check("juniorFine(8, 15)", () => same(all.juniorFine(8, 15), 8));
check("juniorFine(2, 15)", () => same(all.juniorFine(2, 15), 2));
check("juniorFine(4, 14)", () => same(all.juniorFine(4, 14), 4));
check("juniorFine(4, 16)", () => same(all.juniorFine(4, 16), 4));
check("juniorFine(4, 30)", () => same(all.juniorFine(4, 30), 4));
check("juniorFine(4, 7)", () => same(all.juniorFine(4, 7), 0));
check("isBlocked(10)", () => same(all.isBlocked(10), true));
check("isBlocked(9)", () => same(all.isBlocked(9), false));
check("isBlocked(11)", () => same(all.isBlocked(11), true));
check("isBlocked(20)", () => same(all.isBlocked(20), true));
check("isBlocked(5)", () => same(all.isBlocked(5), false));
check("instalment(50, 12)", () => same(all.instalment(50, 12), 5));
check("instalment(49, 12)", () => same(all.instalment(49, 12), 5));
check("instalment(51, 12)", () => same(all.instalment(51, 12), 5));
check("instalment(100, 12)", () => same(all.instalment(100, 12), 9));
check("instalment(25, 12)", () => same(all.instalment(25, 12), 3));
check("instalment(50, 11)", () => same(all.instalment(50, 11), 5));
check("instalment(50, 13)", () => same(all.instalment(50, 13), 4));
check("instalment(50, 24)", () => same(all.instalment(50, 24), 3));
check("instalment(50, 6)", () => same(all.instalment(50, 6), 9));
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
