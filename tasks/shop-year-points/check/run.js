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
  ...require("../src/shipping/free-shipping-from.js"),
  ...require("../src/shipping/parcel-count.js"),
  ...require("../src/shipping/volume-weight.js"),
  ...require("../src/shipping/billable-weight.js"),
  ...require("../src/shipping/shipping-fee.js"),
  ...require("../src/shipping/delivery-days.js"),
  ...require("../src/shipping/insurance-fee.js"),
  ...require("../src/loyalty/points-for.js"),
  ...require("../src/loyalty/points-worth.js"),
  ...require("../src/loyalty/tier-of.js"),
  ...require("../src/loyalty/birthday-bonus.js"),
  ...require("../src/loyalty/expires-after.js"),
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
