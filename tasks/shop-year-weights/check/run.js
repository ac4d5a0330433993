"use strict";

const assert = require("node:assert");
const all = {
  ...require("../src/shipping/free-shipping-from.js"),
  ...require("../src/shipping/parcel-count.js"),
  ...require("../src/shipping/volume-weight.js"),
  ...require("../src/shipping/billable-weight.js"),
  ...require("../src/shipping/shipping-fee.js"),
  ...require("../src/shipping/delivery-days.js"),
  ...require("../src/shipping/insurance-fee.js"),
  ...require("../src/stock/reorder-level.js"),
  ...require("../src/stock/is-low.js"),
  ...require("../src/stock/available.js"),
  ...require("../src/stock/turnover.js"),
  ...require("../src/stock/backorder.js"),
  ...require("../src/stock/shelf-limit.js"),
  ...require("../src/stock/shelves-for.js"),
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

check("FREE_SHIPPING_FROM", () => assert.strictEqual(all.FREE_SHIPPING_FROM, 50));
check("parcelCount(23, 5)", () => same(all.parcelCount(23, 5), 5));
check("parcelCount(22, 5)", () => same(all.parcelCount(22, 5), 5));
check("parcelCount(24, 5)", () => same(all.parcelCount(24, 5), 5));
check("parcelCount(46, 5)", () => same(all.parcelCount(46, 5), 10));
check("parcelCount(11, 5)", () => same(all.parcelCount(11, 5), 3));
check("parcelCount(23, 4)", () => same(all.parcelCount(23, 4), 6));
check("parcelCount(23, 6)", () => same(all.parcelCount(23, 6), 4));
check("parcelCount(23, 10)", () => same(all.parcelCount(23, 10), 3));
check("parcelCount(23, 2)", () => same(all.parcelCount(23, 2), 12));
check("volumeWeight(50, 40, 30)", () => same(all.volumeWeight(50, 40, 30), 12));
check("volumeWeight(49, 40, 30)", () => same(all.volumeWeight(49, 40, 30), 11.76));
check("volumeWeight(51, 40, 30)", () => same(all.volumeWeight(51, 40, 30), 12.24));
check("volumeWeight(100, 40, 30)", () => same(all.volumeWeight(100, 40, 30), 24));
check("volumeWeight(25, 40, 30)", () => same(all.volumeWeight(25, 40, 30), 6));
check("volumeWeight(50, 39, 30)", () => same(all.volumeWeight(50, 39, 30), 11.7));
check("volumeWeight(50, 41, 30)", () => same(all.volumeWeight(50, 41, 30), 12.3));
check("volumeWeight(50, 80, 30)", () => same(all.volumeWeight(50, 80, 30), 24));
check("volumeWeight(50, 20, 30)", () => same(all.volumeWeight(50, 20, 30), 6));
check("volumeWeight(50, 40, 29)", () => same(all.volumeWeight(50, 40, 29), 11.6));
check("volumeWeight(50, 40, 31)", () => same(all.volumeWeight(50, 40, 31), 12.4));
check("volumeWeight(50, 40, 60)", () => same(all.volumeWeight(50, 40, 60), 24));
check("volumeWeight(50, 40, 15)", () => same(all.volumeWeight(50, 40, 15), 6));
check("billableWeight(9, 12)", () => same(all.billableWeight(9, 12), 12));
check("billableWeight(8, 12)", () => same(all.billableWeight(8, 12), 12));
check("billableWeight(10, 12)", () => same(all.billableWeight(10, 12), 12));
check("billableWeight(18, 12)", () => same(all.billableWeight(18, 12), 18));
check("billableWeight(4, 12)", () => same(all.billableWeight(4, 12), 12));
check("billableWeight(9, 11)", () => same(all.billableWeight(9, 11), 11));
check("billableWeight(9, 13)", () => same(all.billableWeight(9, 13), 13));
check("billableWeight(9, 24)", () => same(all.billableWeight(9, 24), 24));
check("billableWeight(9, 6)", () => same(all.billableWeight(9, 6), 9));
check("shippingFee(50, 4)", () => same(all.shippingFee(50, 4), 0));
check("shippingFee(49, 4)", () => same(all.shippingFee(49, 4), 4));
check("shippingFee(51, 4)", () => same(all.shippingFee(51, 4), 0));
check("shippingFee(100, 4)", () => same(all.shippingFee(100, 4), 0));
check("shippingFee(25, 4)", () => same(all.shippingFee(25, 4), 4));
check("shippingFee(50, 3)", () => same(all.shippingFee(50, 3), 0));
check("shippingFee(50, 5)", () => same(all.shippingFee(50, 5), 0));
check("shippingFee(50, 8)", () => same(all.shippingFee(50, 8), 0));
check("shippingFee(50, 2)", () => same(all.shippingFee(50, 2), 0));
check("deliveryDays(950)", () => same(all.deliveryDays(950), 4));
check("deliveryDays(949)", () => same(all.deliveryDays(949), 4));
check("deliveryDays(951)", () => same(all.deliveryDays(951), 4));
check("deliveryDays(1900)", () => same(all.deliveryDays(1900), 6));
check("deliveryDays(475)", () => same(all.deliveryDays(475), 3));
check("insuranceFee(120)", () => same(all.insuranceFee(120), 2));
check("insuranceFee(119)", () => same(all.insuranceFee(119), 2));
check("insuranceFee(121)", () => same(all.insuranceFee(121), 2));
check("insuranceFee(240)", () => same(all.insuranceFee(240), 2.4));
check("insuranceFee(60)", () => same(all.insuranceFee(60), 2));
check("reorderLevel(8, 5, 12)", () => same(all.reorderLevel(8, 5, 12), 52));
check("reorderLevel(7, 5, 12)", () => same(all.reorderLevel(7, 5, 12), 47));
check("reorderLevel(9, 5, 12)", () => same(all.reorderLevel(9, 5, 12), 57));
check("reorderLevel(16, 5, 12)", () => same(all.reorderLevel(16, 5, 12), 92));
check("reorderLevel(4, 5, 12)", () => same(all.reorderLevel(4, 5, 12), 32));
check("reorderLevel(8, 4, 12)", () => same(all.reorderLevel(8, 4, 12), 44));
check("reorderLevel(8, 6, 12)", () => same(all.reorderLevel(8, 6, 12), 60));
check("reorderLevel(8, 10, 12)", () => same(all.reorderLevel(8, 10, 12), 92));
check("reorderLevel(8, 2, 12)", () => same(all.reorderLevel(8, 2, 12), 28));
check("reorderLevel(8, 5, 11)", () => same(all.reorderLevel(8, 5, 11), 51));
check("reorderLevel(8, 5, 13)", () => same(all.reorderLevel(8, 5, 13), 53));
check("reorderLevel(8, 5, 24)", () => same(all.reorderLevel(8, 5, 24), 64));
check("reorderLevel(8, 5, 6)", () => same(all.reorderLevel(8, 5, 6), 46));
check("isLow(12, 12)", () => same(all.isLow(12, 12), true));
check("isLow(11, 12)", () => same(all.isLow(11, 12), true));
check("isLow(13, 12)", () => same(all.isLow(13, 12), false));
check("isLow(24, 12)", () => same(all.isLow(24, 12), false));
check("isLow(6, 12)", () => same(all.isLow(6, 12), true));
check("isLow(12, 11)", () => same(all.isLow(12, 11), false));
check("isLow(12, 13)", () => same(all.isLow(12, 13), true));
check("isLow(12, 24)", () => same(all.isLow(12, 24), true));
check("isLow(12, 6)", () => same(all.isLow(12, 6), false));
check("available(40, 15)", () => same(all.available(40, 15), 25));
check("available(39, 15)", () => same(all.available(39, 15), 24));
check("available(41, 15)", () => same(all.available(41, 15), 26));
check("available(80, 15)", () => same(all.available(80, 15), 65));
check("available(20, 15)", () => same(all.available(20, 15), 5));
check("available(40, 14)", () => same(all.available(40, 14), 26));
check("available(40, 16)", () => same(all.available(40, 16), 24));
check("available(40, 30)", () => same(all.available(40, 30), 10));
check("available(40, 7)", () => same(all.available(40, 7), 33));
check("turnover(360, 60)", () => same(all.turnover(360, 60), 6));
check("turnover(359, 60)", () => same(all.turnover(359, 60), 5.983333333333333));
check("turnover(361, 60)", () => same(all.turnover(361, 60), 6.016666666666667));
check("turnover(720, 60)", () => same(all.turnover(720, 60), 12));
check("turnover(180, 60)", () => same(all.turnover(180, 60), 3));
check("turnover(360, 59)", () => same(all.turnover(360, 59), 6.101694915254237));
check("turnover(360, 61)", () => same(all.turnover(360, 61), 5.901639344262295));
check("turnover(360, 120)", () => same(all.turnover(360, 120), 3));
check("turnover(360, 30)", () => same(all.turnover(360, 30), 12));
check("backorder(3, 9)", () => same(all.backorder(3, 9), 0));
check("backorder(2, 9)", () => same(all.backorder(2, 9), 0));
check("backorder(4, 9)", () => same(all.backorder(4, 9), 0));
check("backorder(6, 9)", () => same(all.backorder(6, 9), 0));
check("backorder(1, 9)", () => same(all.backorder(1, 9), 0));
check("backorder(3, 8)", () => same(all.backorder(3, 8), 0));
check("backorder(3, 10)", () => same(all.backorder(3, 10), 0));
check("backorder(3, 18)", () => same(all.backorder(3, 18), 0));
check("backorder(3, 4)", () => same(all.backorder(3, 4), 0));
check("SHELF_LIMIT", () => assert.strictEqual(all.SHELF_LIMIT, 240));
check("shelvesFor(500, 240)", () => same(all.shelvesFor(500, 240), 3));
check("shelvesFor(499, 240)", () => same(all.shelvesFor(499, 240), 3));
check("shelvesFor(501, 240)", () => same(all.shelvesFor(501, 240), 3));
check("shelvesFor(1000, 240)", () => same(all.shelvesFor(1000, 240), 5));
check("shelvesFor(250, 240)", () => same(all.shelvesFor(250, 240), 2));
check("shelvesFor(500, 239)", () => same(all.shelvesFor(500, 239), 3));
check("shelvesFor(500, 241)", () => same(all.shelvesFor(500, 241), 3));
check("shelvesFor(500, 480)", () => same(all.shelvesFor(500, 480), 2));
check("shelvesFor(500, 120)", () => same(all.shelvesFor(500, 120), 5));
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
