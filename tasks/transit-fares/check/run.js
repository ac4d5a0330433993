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
check("zoneFare(3)", () => same(all.zoneFare(3), 3.75));
check("zoneFare(5)", () => same(all.zoneFare(5), 5.25));
check("zoneFare(8)", () => same(all.zoneFare(8), 7.5));
check("zoneFare(2)", () => same(all.zoneFare(2), 3));
check("childFare(3, 9)", () => same(all.childFare(3, 9), 3));
check("childFare(2, 9)", () => same(all.childFare(2, 9), 2));
check("childFare(4, 9)", () => same(all.childFare(4, 9), 4));
check("childFare(6, 9)", () => same(all.childFare(6, 9), 6));
check("childFare(1, 9)", () => same(all.childFare(1, 9), 1));
check("childFare(3, 8)", () => same(all.childFare(3, 8), 3));
check("childFare(3, 10)", () => same(all.childFare(3, 10), 3));
check("childFare(3, 18)", () => same(all.childFare(3, 18), 3));
check("childFare(3, 4)", () => same(all.childFare(3, 4), 0));
check("transferFare(3, 75)", () => same(all.transferFare(3, 75), 0));
check("transferFare(2, 75)", () => same(all.transferFare(2, 75), 0));
check("transferFare(4, 75)", () => same(all.transferFare(4, 75), 0));
check("transferFare(6, 75)", () => same(all.transferFare(6, 75), 0));
check("transferFare(1, 75)", () => same(all.transferFare(1, 75), 0));
check("transferFare(3, 74)", () => same(all.transferFare(3, 74), 0));
check("transferFare(3, 76)", () => same(all.transferFare(3, 76), 0));
check("transferFare(3, 150)", () => same(all.transferFare(3, 150), 3));
check("transferFare(3, 37)", () => same(all.transferFare(3, 37), 0));
check("dayCap(14, 9)", () => same(all.dayCap(14, 9), 9));
check("dayCap(13, 9)", () => same(all.dayCap(13, 9), 9));
check("dayCap(15, 9)", () => same(all.dayCap(15, 9), 9));
check("dayCap(28, 9)", () => same(all.dayCap(28, 9), 9));
check("dayCap(7, 9)", () => same(all.dayCap(7, 9), 7));
check("dayCap(14, 8)", () => same(all.dayCap(14, 8), 8));
check("dayCap(14, 10)", () => same(all.dayCap(14, 10), 10));
check("dayCap(14, 18)", () => same(all.dayCap(14, 18), 14));
check("dayCap(14, 4)", () => same(all.dayCap(14, 4), 4));
check("groupFare(3, 10)", () => same(all.groupFare(3, 10), 24));
check("groupFare(2, 10)", () => same(all.groupFare(2, 10), 16));
check("groupFare(4, 10)", () => same(all.groupFare(4, 10), 32));
check("groupFare(6, 10)", () => same(all.groupFare(6, 10), 48));
check("groupFare(1, 10)", () => same(all.groupFare(1, 10), 8));
check("groupFare(3, 9)", () => same(all.groupFare(3, 9), 27));
check("groupFare(3, 11)", () => same(all.groupFare(3, 11), 26.400000000000002));
check("groupFare(3, 20)", () => same(all.groupFare(3, 20), 48));
check("groupFare(3, 5)", () => same(all.groupFare(3, 5), 15));
check("penalty(2)", () => same(all.penalty(2), 60));
check("penalty(1)", () => same(all.penalty(1), 60));
check("penalty(3)", () => same(all.penalty(3), 60));
check("penalty(4)", () => same(all.penalty(4), 80));
check("penalty(1)", () => same(all.penalty(1), 60));
check("PASS_DAYS", () => assert.strictEqual(all.PASS_DAYS, 31));

console.log(failures === 0 ? "all tests passed" : failures + " failed");
if (failures > 0) process.exitCode = 1;
