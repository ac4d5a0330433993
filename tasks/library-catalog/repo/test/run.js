"use strict";

const assert = require("node:assert");
const all = {
  ...require("../src/catalog/shelf-code.js"),
  ...require("../src/catalog/sort-title.js"),
  ...require("../src/catalog/is-reference.js"),
  ...require("../src/catalog/check-digit.js"),
  ...require("../src/catalog/year-gap.js"),
  ...require("../src/catalog/label-width.js"),
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

check("shelfCode(HIS, Braudel)", () => same(all.shelfCode("HIS", "Braudel"), "HIS-BRA"));
check("sortTitle(An Island)", () => same(all.sortTitle("An Island"), "Island"));
check("isReference(R-220)", () => same(all.isReference("R-220"), true));
check("checkDigit(74)", () => same(all.checkDigit(74), 3));
check("yearGap(2024, 1987)", () => same(all.yearGap(2024, 1987), 37));
check("LABEL_WIDTH", () => assert.strictEqual(all.LABEL_WIDTH, 34));
check("sortTitle(An Island)", () => same(all.sortTitle("An Island"), "Island"));
check("sortTitle(The Sea)", () => same(all.sortTitle("The Sea"), "Sea"));
check("sortTitle(A Day)", () => same(all.sortTitle("A Day"), "Day"));
check("sortTitle(Dune)", () => same(all.sortTitle("Dune"), "Dune"));

console.log(failures === 0 ? "all tests passed" : failures + " failed");
if (failures > 0) process.exitCode = 1;
