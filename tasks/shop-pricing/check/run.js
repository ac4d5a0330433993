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

console.log(failures === 0 ? "all tests passed" : failures + " failed");
if (failures > 0) process.exitCode = 1;
