"use strict";

const assert = require("node:assert");
const all = {
  ...require("../src/loyalty/points-for.js"),
  ...require("../src/loyalty/points-worth.js"),
  ...require("../src/loyalty/tier-of.js"),
  ...require("../src/loyalty/birthday-bonus.js"),
  ...require("../src/loyalty/expires-after.js"),
  ...require("../src/refunds/refundable.js"),
  ...require("../src/refunds/restocking-fee.js"),
  ...require("../src/refunds/refund-amount.js"),
  ...require("../src/refunds/store-credit.js"),
  ...require("../src/refunds/refund-days.js"),
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

check("pointsFor(129)", () => same(all.pointsFor(129), 12));
check("pointsFor(128)", () => same(all.pointsFor(128), 12));
check("pointsFor(130)", () => same(all.pointsFor(130), 13));
check("pointsFor(258)", () => same(all.pointsFor(258), 25));
check("pointsFor(64)", () => same(all.pointsFor(64), 6));
check("pointsWorth(200)", () => same(all.pointsWorth(200), 10));
check("pointsWorth(199)", () => same(all.pointsWorth(199), 9.950000000000001));
check("pointsWorth(201)", () => same(all.pointsWorth(201), 10.05));
check("pointsWorth(400)", () => same(all.pointsWorth(400), 20));
check("pointsWorth(100)", () => same(all.pointsWorth(100), 5));
check("tierOf(1500)", () => same(all.tierOf(1500), "gold"));
check("tierOf(1499)", () => same(all.tierOf(1499), "gold"));
check("tierOf(1501)", () => same(all.tierOf(1501), "gold"));
check("tierOf(3000)", () => same(all.tierOf(3000), "gold"));
check("tierOf(750)", () => same(all.tierOf(750), "basic"));
check("birthdayBonus(30, true)", () => same(all.birthdayBonus(30, true), 60));
check("birthdayBonus(29, true)", () => same(all.birthdayBonus(29, true), 58));
check("birthdayBonus(31, true)", () => same(all.birthdayBonus(31, true), 62));
check("birthdayBonus(60, true)", () => same(all.birthdayBonus(60, true), 120));
check("birthdayBonus(15, true)", () => same(all.birthdayBonus(15, true), 30));
check("birthdayBonus(30, false)", () => same(all.birthdayBonus(30, false), 30));
check("expiresAfter(18)", () => same(all.expiresAfter(18), false));
check("expiresAfter(17)", () => same(all.expiresAfter(17), false));
check("expiresAfter(19)", () => same(all.expiresAfter(19), false));
check("expiresAfter(36)", () => same(all.expiresAfter(36), true));
check("expiresAfter(9)", () => same(all.expiresAfter(9), false));
check("refundable(30)", () => same(all.refundable(30), true));
check("refundable(29)", () => same(all.refundable(29), true));
check("refundable(31)", () => same(all.refundable(31), false));
check("refundable(60)", () => same(all.refundable(60), false));
check("refundable(15)", () => same(all.refundable(15), true));
check("restockingFee(60, true)", () => same(all.restockingFee(60, true), 9));
check("restockingFee(59, true)", () => same(all.restockingFee(59, true), 8.85));
check("restockingFee(61, true)", () => same(all.restockingFee(61, true), 9.15));
check("restockingFee(120, true)", () => same(all.restockingFee(120, true), 18));
check("restockingFee(30, true)", () => same(all.restockingFee(30, true), 4.5));
check("restockingFee(60, false)", () => same(all.restockingFee(60, false), 0));
check("refundAmount(60, 9)", () => same(all.refundAmount(60, 9), 51));
check("refundAmount(59, 9)", () => same(all.refundAmount(59, 9), 50));
check("refundAmount(61, 9)", () => same(all.refundAmount(61, 9), 52));
check("refundAmount(120, 9)", () => same(all.refundAmount(120, 9), 111));
check("refundAmount(30, 9)", () => same(all.refundAmount(30, 9), 21));
check("refundAmount(60, 8)", () => same(all.refundAmount(60, 8), 52));
check("refundAmount(60, 10)", () => same(all.refundAmount(60, 10), 50));
check("refundAmount(60, 18)", () => same(all.refundAmount(60, 18), 42));
check("refundAmount(60, 4)", () => same(all.refundAmount(60, 4), 56));
check("storeCredit(50)", () => same(all.storeCredit(50), 55.00000000000001));
check("storeCredit(49)", () => same(all.storeCredit(49), 53.900000000000006));
check("storeCredit(51)", () => same(all.storeCredit(51), 56.1));
check("storeCredit(100)", () => same(all.storeCredit(100), 110.00000000000001));
check("storeCredit(25)", () => same(all.storeCredit(25), 27.500000000000004));
check("refundDays(card)", () => same(all.refundDays("card"), 5));
check("refundDays(cash)", () => same(all.refundDays("cash"), 10));

console.log(failures === 0 ? "all tests passed" : failures + " failed");
if (failures > 0) process.exitCode = 1;
