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
check("sortTitle(The Sea)", () => same(all.sortTitle("The Sea"), "Sea"));
check("sortTitle(A Day)", () => same(all.sortTitle("A Day"), "Day"));
check("sortTitle(Dune)", () => same(all.sortTitle("Dune"), "Dune"));
check("isReference(R-220)", () => same(all.isReference("R-220"), true));
check("isReference(220-R)", () => same(all.isReference("220-R"), false));
check("isReference(K-1)", () => same(all.isReference("K-1"), false));
check("checkDigit(74)", () => same(all.checkDigit(74), 3));
check("checkDigit(73)", () => same(all.checkDigit(73), 4));
check("checkDigit(75)", () => same(all.checkDigit(75), 2));
check("checkDigit(148)", () => same(all.checkDigit(148), 6));
check("checkDigit(37)", () => same(all.checkDigit(37), 7));
check("yearGap(2024, 1987)", () => same(all.yearGap(2024, 1987), 37));
check("yearGap(2023, 1987)", () => same(all.yearGap(2023, 1987), 36));
check("yearGap(2025, 1987)", () => same(all.yearGap(2025, 1987), 38));
check("yearGap(4048, 1987)", () => same(all.yearGap(4048, 1987), 2061));
check("yearGap(1012, 1987)", () => same(all.yearGap(1012, 1987), -975));
check("yearGap(2024, 1986)", () => same(all.yearGap(2024, 1986), 38));
check("yearGap(2024, 1988)", () => same(all.yearGap(2024, 1988), 36));
check("yearGap(2024, 3974)", () => same(all.yearGap(2024, 3974), -1950));
check("yearGap(2024, 993)", () => same(all.yearGap(2024, 993), 1031));
check("LABEL_WIDTH", () => assert.strictEqual(all.LABEL_WIDTH, 34));

console.log(failures === 0 ? "all tests passed" : failures + " failed");
if (failures > 0) process.exitCode = 1;
