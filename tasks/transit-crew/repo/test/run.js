"use strict";

const assert = require("node:assert");
const all = {
  ...require("../src/crew/shift-hours.js"),
  ...require("../src/crew/needs-break.js"),
  ...require("../src/crew/night-bonus.js"),
  ...require("../src/crew/overtime-pay.js"),
  ...require("../src/crew/weekly-rest.js"),
  ...require("../src/crew/max-duty-hours.js"),
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

check("shiftHours(22, 6)", () => same(all.shiftHours(22, 6), 8));
check("needsBreak(270)", () => same(all.needsBreak(270), true));
check("nightBonus(4, 24)", () => same(all.nightBonus(4, 24), 24));
check("overtimePay(9, 20)", () => same(all.overtimePay(9, 20), 30));
check("weeklyRest(6)", () => same(all.weeklyRest(6), 2));
check("MAX_DUTY_HOURS", () => assert.strictEqual(all.MAX_DUTY_HOURS, 13));
check("MAX_DUTY_HOURS", () => assert.strictEqual(all.MAX_DUTY_HOURS, 13));

console.log(failures === 0 ? "all tests passed" : failures + " failed");
if (failures > 0) process.exitCode = 1;
