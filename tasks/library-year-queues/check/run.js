"use strict";

const assert = require("node:assert");
const all = {
  ...require("../src/loans/due-day.js"),
  ...require("../src/loans/is-overdue.js"),
  ...require("../src/loans/renewals-left.js"),
  ...require("../src/loans/loan-days.js"),
  ...require("../src/loans/max-loans.js"),
  ...require("../src/loans/can-borrow.js"),
  ...require("../src/fines/fine.js"),
  ...require("../src/fines/fine-after-grace.js"),
  ...require("../src/fines/lost-fee.js"),
  ...require("../src/fines/junior-fine.js"),
  ...require("../src/fines/is-blocked.js"),
  ...require("../src/fines/instalment.js"),
  ...require("../src/holds/queue-days.js"),
  ...require("../src/holds/pickup-until.js"),
  ...require("../src/holds/needs-copies.js"),
  ...require("../src/holds/hold-priority.js"),
  ...require("../src/budget/cost-per-loan.js"),
  ...require("../src/budget/discounted.js"),
  ...require("../src/budget/remaining.js"),
  ...require("../src/budget/share-of.js"),
  ...require("../src/budget/fiscal-weeks.js"),
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
check("costPerLoan(9000, 30000)", () => same(all.costPerLoan(9000, 30000), 0.3));
check("costPerLoan(8999, 30000)", () => same(all.costPerLoan(8999, 30000), 0.29996666666666666));
check("costPerLoan(9001, 30000)", () => same(all.costPerLoan(9001, 30000), 0.3000333333333333));
check("costPerLoan(18000, 30000)", () => same(all.costPerLoan(18000, 30000), 0.6));
check("costPerLoan(4500, 30000)", () => same(all.costPerLoan(4500, 30000), 0.15));
check("costPerLoan(9000, 29999)", () => same(all.costPerLoan(9000, 29999), 0.30001000033334446));
check("costPerLoan(9000, 30001)", () => same(all.costPerLoan(9000, 30001), 0.29999000033332224));
check("costPerLoan(9000, 60000)", () => same(all.costPerLoan(9000, 60000), 0.15));
check("costPerLoan(9000, 15000)", () => same(all.costPerLoan(9000, 15000), 0.6));
check("discounted(20, 5)", () => same(all.discounted(20, 5), 85));
check("discounted(19, 5)", () => same(all.discounted(19, 5), 80.75));
check("discounted(21, 5)", () => same(all.discounted(21, 5), 89.25));
check("discounted(40, 5)", () => same(all.discounted(40, 5), 170));
check("discounted(10, 5)", () => same(all.discounted(10, 5), 42.5));
check("discounted(20, 4)", () => same(all.discounted(20, 4), 80));
check("discounted(20, 6)", () => same(all.discounted(20, 6), 102));
check("discounted(20, 10)", () => same(all.discounted(20, 10), 170));
check("discounted(20, 2)", () => same(all.discounted(20, 2), 40));
check("remaining(5000, 3200, 700)", () => same(all.remaining(5000, 3200, 700), 1100));
check("remaining(4999, 3200, 700)", () => same(all.remaining(4999, 3200, 700), 1099));
check("remaining(5001, 3200, 700)", () => same(all.remaining(5001, 3200, 700), 1101));
check("remaining(10000, 3200, 700)", () => same(all.remaining(10000, 3200, 700), 6100));
check("remaining(2500, 3200, 700)", () => same(all.remaining(2500, 3200, 700), -1400));
check("remaining(5000, 3199, 700)", () => same(all.remaining(5000, 3199, 700), 1101));
check("remaining(5000, 3201, 700)", () => same(all.remaining(5000, 3201, 700), 1099));
check("remaining(5000, 6400, 700)", () => same(all.remaining(5000, 6400, 700), -2100));
check("remaining(5000, 1600, 700)", () => same(all.remaining(5000, 1600, 700), 2700));
check("remaining(5000, 3200, 699)", () => same(all.remaining(5000, 3200, 699), 1101));
check("remaining(5000, 3200, 701)", () => same(all.remaining(5000, 3200, 701), 1099));
check("remaining(5000, 3200, 1400)", () => same(all.remaining(5000, 3200, 1400), 400));
check("remaining(5000, 3200, 350)", () => same(all.remaining(5000, 3200, 350), 1450));
check("shareOf(300, 1200)", () => same(all.shareOf(300, 1200), 25));
check("shareOf(299, 1200)", () => same(all.shareOf(299, 1200), 24.916666666666668));
check("shareOf(301, 1200)", () => same(all.shareOf(301, 1200), 25.083333333333336));
check("shareOf(600, 1200)", () => same(all.shareOf(600, 1200), 50));
check("shareOf(150, 1200)", () => same(all.shareOf(150, 1200), 12.5));
check("shareOf(300, 1199)", () => same(all.shareOf(300, 1199), 25.0208507089241));
check("shareOf(300, 1201)", () => same(all.shareOf(300, 1201), 24.979184013322232));
check("shareOf(300, 2400)", () => same(all.shareOf(300, 2400), 12.5));
check("shareOf(300, 600)", () => same(all.shareOf(300, 600), 50));
check("FISCAL_WEEKS", () => assert.strictEqual(all.FISCAL_WEEKS, 52));
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
