"use strict";

const assert = require("node:assert");
const all = {
  ...require("../src/fares/zone-fare.js"),
  ...require("../src/fares/child-fare.js"),
  ...require("../src/fares/transfer-fare.js"),
  ...require("../src/fares/day-cap.js"),
  ...require("../src/fares/group-fare.js"),
  ...require("../src/fares/penalty.js"),
  ...require("../src/fares/pass-days.js"),
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

check("zoneFare(4)", () => same(all.zoneFare(4), 4.5));
check("childFare(3, 9)", () => same(all.childFare(3, 9), 3));
check("transferFare(3, 75)", () => same(all.transferFare(3, 75), 0));
check("dayCap(14, 9)", () => same(all.dayCap(14, 9), 9));
check("groupFare(3, 10)", () => same(all.groupFare(3, 10), 24));
check("penalty(2)", () => same(all.penalty(2), 60));
check("PASS_DAYS", () => assert.strictEqual(all.PASS_DAYS, 31));
check("dayCap(14, 9)", () => same(all.dayCap(14, 9), 9));
check("dayCap(13, 9)", () => same(all.dayCap(13, 9), 9));
check("dayCap(15, 9)", () => same(all.dayCap(15, 9), 9));
check("dayCap(28, 9)", () => same(all.dayCap(28, 9), 9));
check("dayCap(7, 9)", () => same(all.dayCap(7, 9), 7));
check("dayCap(14, 8)", () => same(all.dayCap(14, 8), 8));
check("dayCap(14, 10)", () => same(all.dayCap(14, 10), 10));
check("dayCap(14, 18)", () => same(all.dayCap(14, 18), 14));
check("dayCap(14, 4)", () => same(all.dayCap(14, 4), 4));

console.log(failures === 0 ? "all tests passed" : failures + " failed");
if (failures > 0) process.exitCode = 1;
