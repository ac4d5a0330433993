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
check("netPrice(120, 0.2)", () => same(all.netPrice(120, 0.2), 100));
check("grossPrice(100, 0.2)", () => same(all.grossPrice(100, 0.2), 120));
check("markdown(80, 25)", () => same(all.markdown(80, 25), 60));
check("unitPrice(48, 8)", () => same(all.unitPrice(48, 8), 6));
check("bulkPrice(20, 10)", () => same(all.bulkPrice(20, 10), 18));
check("roundCents(12.346)", () => same(all.roundCents(12.346), 12.35));
check("lineTotal(7, 6)", () => same(all.lineTotal(7, 6), 42));
check("lineTotal(6, 6)", () => same(all.lineTotal(6, 6), 36));
check("lineTotal(8, 6)", () => same(all.lineTotal(8, 6), 48));
check("lineTotal(14, 6)", () => same(all.lineTotal(14, 6), 84));
check("lineTotal(3, 6)", () => same(all.lineTotal(3, 6), 18));
check("lineTotal(7, 5)", () => same(all.lineTotal(7, 5), 35));
check("lineTotal(7, 7)", () => same(all.lineTotal(7, 7), 49));
check("lineTotal(7, 12)", () => same(all.lineTotal(7, 12), 84));
check("lineTotal(7, 3)", () => same(all.lineTotal(7, 3), 21));

console.log(failures === 0 ? "all tests passed" : failures + " failed");
if (failures > 0) process.exitCode = 1;
