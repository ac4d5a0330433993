"use strict";

const assert = require("node:assert");
const all = {
  ...require("../src/pricing/line-total.js"),
  ...require("../src/pricing/net-price.js"),
  ...require("../src/pricing/gross-price.js"),
  ...require("../src/pricing/markdown.js"),
  ...require("../src/pricing/unit-price.js"),
  ...require("../src/pricing/bulk-price.js"),
  ...require("../src/pricing/round-cents.js"),
  ...require("../src/stock/reorder-level.js"),
  ...require("../src/stock/is-low.js"),
  ...require("../src/stock/available.js"),
  ...require("../src/stock/turnover.js"),
  ...require("../src/stock/backorder.js"),
  ...require("../src/stock/shelf-limit.js"),
  ...require("../src/stock/shelves-for.js"),
  ...require("../src/refunds/refundable.js"),
  ...require("../src/refunds/restocking-fee.js"),
  ...require("../src/refunds/refund-amount.js"),
  ...require("../src/refunds/store-credit.js"),
  ...require("../src/refunds/refund-days.js"),
  ...require("../src/reports/margin.js"),
  ...require("../src/reports/growth.js"),
  ...require("../src/reports/basket-mean.js"),
  ...require("../src/reports/conversion.js"),
  ...require("../src/reports/fiscal-start-month.js"),
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

check("lineTotal(7, 6)", () => same(all.lineTotal(7, 6), 42));
check("lineTotal(6, 6)", () => same(all.lineTotal(6, 6), 36));
check("lineTotal(8, 6)", () => same(all.lineTotal(8, 6), 48));
check("lineTotal(14, 6)", () => same(all.lineTotal(14, 6), 84));
check("lineTotal(3, 6)", () => same(all.lineTotal(3, 6), 18));
check("lineTotal(7, 5)", () => same(all.lineTotal(7, 5), 35));
check("lineTotal(7, 7)", () => same(all.lineTotal(7, 7), 49));
check("lineTotal(7, 12)", () => same(all.lineTotal(7, 12), 84));
check("lineTotal(7, 3)", () => same(all.lineTotal(7, 3), 21));
check("netPrice(120, 0.2)", () => same(all.netPrice(120, 0.2), 100));
check("netPrice(119, 0.2)", () => same(all.netPrice(119, 0.2), 99.16666666666667));
check("netPrice(121, 0.2)", () => same(all.netPrice(121, 0.2), 100.83333333333334));
check("netPrice(240, 0.2)", () => same(all.netPrice(240, 0.2), 200));
check("netPrice(60, 0.2)", () => same(all.netPrice(60, 0.2), 50));
check("netPrice(120, -0.8)", () => same(all.netPrice(120, -0.8), 600.0000000000001));
check("netPrice(120, 1.2)", () => same(all.netPrice(120, 1.2), 54.54545454545454));
check("netPrice(120, 0.4)", () => same(all.netPrice(120, 0.4), 85.71428571428572));
check("netPrice(120, 0)", () => same(all.netPrice(120, 0), 120));
check("grossPrice(100, 0.2)", () => same(all.grossPrice(100, 0.2), 120));
check("grossPrice(99, 0.2)", () => same(all.grossPrice(99, 0.2), 118.8));
check("grossPrice(101, 0.2)", () => same(all.grossPrice(101, 0.2), 121.19999999999999));
check("grossPrice(200, 0.2)", () => same(all.grossPrice(200, 0.2), 240));
check("grossPrice(50, 0.2)", () => same(all.grossPrice(50, 0.2), 60));
check("grossPrice(100, -0.8)", () => same(all.grossPrice(100, -0.8), 19.999999999999996));
check("grossPrice(100, 1.2)", () => same(all.grossPrice(100, 1.2), 220.00000000000003));
check("grossPrice(100, 0.4)", () => same(all.grossPrice(100, 0.4), 140));
check("grossPrice(100, 0)", () => same(all.grossPrice(100, 0), 100));
check("markdown(80, 25)", () => same(all.markdown(80, 25), 60));
check("markdown(79, 25)", () => same(all.markdown(79, 25), 59.25));
check("markdown(81, 25)", () => same(all.markdown(81, 25), 60.75));
check("markdown(160, 25)", () => same(all.markdown(160, 25), 120));
check("markdown(40, 25)", () => same(all.markdown(40, 25), 30));
check("markdown(80, 24)", () => same(all.markdown(80, 24), 60.8));
check("markdown(80, 26)", () => same(all.markdown(80, 26), 59.2));
check("markdown(80, 50)", () => same(all.markdown(80, 50), 40));
check("markdown(80, 12)", () => same(all.markdown(80, 12), 70.4));
check("unitPrice(48, 8)", () => same(all.unitPrice(48, 8), 6));
check("unitPrice(47, 8)", () => same(all.unitPrice(47, 8), 5.875));
check("unitPrice(49, 8)", () => same(all.unitPrice(49, 8), 6.125));
check("unitPrice(96, 8)", () => same(all.unitPrice(96, 8), 12));
check("unitPrice(24, 8)", () => same(all.unitPrice(24, 8), 3));
check("unitPrice(48, 7)", () => same(all.unitPrice(48, 7), 6.857142857142857));
check("unitPrice(48, 9)", () => same(all.unitPrice(48, 9), 5.333333333333333));
check("unitPrice(48, 16)", () => same(all.unitPrice(48, 16), 3));
check("unitPrice(48, 4)", () => same(all.unitPrice(48, 4), 12));
check("bulkPrice(20, 10)", () => same(all.bulkPrice(20, 10), 18));
check("bulkPrice(19, 10)", () => same(all.bulkPrice(19, 10), 17.1));
check("bulkPrice(21, 10)", () => same(all.bulkPrice(21, 10), 18.900000000000002));
check("bulkPrice(40, 10)", () => same(all.bulkPrice(40, 10), 36));
check("bulkPrice(10, 10)", () => same(all.bulkPrice(10, 10), 9));
check("bulkPrice(20, 9)", () => same(all.bulkPrice(20, 9), 20));
check("bulkPrice(20, 11)", () => same(all.bulkPrice(20, 11), 18));
check("bulkPrice(20, 20)", () => same(all.bulkPrice(20, 20), 18));
check("bulkPrice(20, 5)", () => same(all.bulkPrice(20, 5), 20));
check("roundCents(12.346)", () => same(all.roundCents(12.346), 12.35));
check("roundCents(11.346)", () => same(all.roundCents(11.346), 11.35));
check("roundCents(13.346)", () => same(all.roundCents(13.346), 13.35));
check("roundCents(24.692)", () => same(all.roundCents(24.692), 24.69));
check("roundCents(6)", () => same(all.roundCents(6), 6));
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
check("margin(200, 150)", () => same(all.margin(200, 150), 0.25));
check("margin(199, 150)", () => same(all.margin(199, 150), 0.24623115577889448));
check("margin(201, 150)", () => same(all.margin(201, 150), 0.2537313432835821));
check("margin(400, 150)", () => same(all.margin(400, 150), 0.625));
check("margin(100, 150)", () => same(all.margin(100, 150), -0.5));
check("margin(200, 149)", () => same(all.margin(200, 149), 0.255));
check("margin(200, 151)", () => same(all.margin(200, 151), 0.245));
check("margin(200, 300)", () => same(all.margin(200, 300), -0.5));
check("margin(200, 75)", () => same(all.margin(200, 75), 0.625));
check("growth(120, 100)", () => same(all.growth(120, 100), 0.2));
check("growth(119, 100)", () => same(all.growth(119, 100), 0.19));
check("growth(121, 100)", () => same(all.growth(121, 100), 0.21));
check("growth(240, 100)", () => same(all.growth(240, 100), 1.4));
check("growth(60, 100)", () => same(all.growth(60, 100), -0.4));
check("growth(120, 99)", () => same(all.growth(120, 99), 0.21212121212121213));
check("growth(120, 101)", () => same(all.growth(120, 101), 0.18811881188118812));
check("growth(120, 200)", () => same(all.growth(120, 200), -0.4));
check("growth(120, 50)", () => same(all.growth(120, 50), 1.4));
check("basketMean(4200, 60)", () => same(all.basketMean(4200, 60), 70));
check("basketMean(4199, 60)", () => same(all.basketMean(4199, 60), 69.98333333333333));
check("basketMean(4201, 60)", () => same(all.basketMean(4201, 60), 70.01666666666667));
check("basketMean(8400, 60)", () => same(all.basketMean(8400, 60), 140));
check("basketMean(2100, 60)", () => same(all.basketMean(2100, 60), 35));
check("basketMean(4200, 59)", () => same(all.basketMean(4200, 59), 71.1864406779661));
check("basketMean(4200, 61)", () => same(all.basketMean(4200, 61), 68.85245901639344));
check("basketMean(4200, 120)", () => same(all.basketMean(4200, 120), 35));
check("basketMean(4200, 30)", () => same(all.basketMean(4200, 30), 140));
check("conversion(30, 1200)", () => same(all.conversion(30, 1200), 0.025));
check("conversion(29, 1200)", () => same(all.conversion(29, 1200), 0.024166666666666666));
check("conversion(31, 1200)", () => same(all.conversion(31, 1200), 0.025833333333333333));
check("conversion(60, 1200)", () => same(all.conversion(60, 1200), 0.05));
check("conversion(15, 1200)", () => same(all.conversion(15, 1200), 0.0125));
check("conversion(30, 1199)", () => same(all.conversion(30, 1199), 0.025020850708924104));
check("conversion(30, 1201)", () => same(all.conversion(30, 1201), 0.02497918401332223));
check("conversion(30, 2400)", () => same(all.conversion(30, 2400), 0.0125));
check("conversion(30, 600)", () => same(all.conversion(30, 600), 0.05));
check("FISCAL_START_MONTH", () => assert.strictEqual(all.FISCAL_START_MONTH, 4));

console.log(failures === 0 ? "all tests passed" : failures + " failed");
if (failures > 0) process.exitCode = 1;
