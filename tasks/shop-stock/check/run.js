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

console.log(failures === 0 ? "all tests passed" : failures + " failed");
if (failures > 0) process.exitCode = 1;
