"use strict";

const assert = require("node:assert");
const all = {
  ...require("../src/fines/fine.js"),
  ...require("../src/fines/fine-after-grace.js"),
  ...require("../src/fines/lost-fee.js"),
  ...require("../src/fines/junior-fine.js"),
  ...require("../src/fines/is-blocked.js"),
  ...require("../src/fines/instalment.js"),
  ...require("../src/budget/cost-per-loan.js"),
  ...require("../src/budget/discounted.js"),
  ...require("../src/budget/remaining.js"),
  ...require("../src/budget/share-of.js"),
  ...require("../src/budget/fiscal-weeks.js"),
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

console.log(failures === 0 ? "all tests passed" : failures + " failed");
if (failures > 0) process.exitCode = 1;
