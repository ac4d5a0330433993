"use strict";

const assert = require("node:assert");
const all = {
  ...require("../src/stock/reorder-level.js"),
  ...require("../src/stock/is-low.js"),
  ...require("../src/stock/available.js"),
  ...require("../src/stock/turnover.js"),
  ...require("../src/stock/backorder.js"),
  ...require("../src/stock/shelf-limit.js"),
  ...require("../src/stock/shelves-for.js"),
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

check("reorderLevel(8, 5, 12)", () => same(all.reorderLevel(8, 5, 12), 52));
check("isLow(12, 12)", () => same(all.isLow(12, 12), true));
check("available(40, 15)", () => same(all.available(40, 15), 25));
check("turnover(360, 60)", () => same(all.turnover(360, 60), 6));
check("backorder(3, 9)", () => same(all.backorder(3, 9), 0));
check("SHELF_LIMIT", () => assert.strictEqual(all.SHELF_LIMIT, 240));
check("shelvesFor(500, 240)", () => same(all.shelvesFor(500, 240), 3));
check("isLow(12, 12)", () => same(all.isLow(12, 12), true));
check("isLow(11, 12)", () => same(all.isLow(11, 12), true));
check("isLow(13, 12)", () => same(all.isLow(13, 12), false));
check("isLow(24, 12)", () => same(all.isLow(24, 12), false));
check("isLow(6, 12)", () => same(all.isLow(6, 12), true));
check("isLow(12, 11)", () => same(all.isLow(12, 11), false));
check("isLow(12, 13)", () => same(all.isLow(12, 13), true));
check("isLow(12, 24)", () => same(all.isLow(12, 24), true));
check("isLow(12, 6)", () => same(all.isLow(12, 6), false));

console.log(failures === 0 ? "all tests passed" : failures + " failed");
if (failures > 0) process.exitCode = 1;
