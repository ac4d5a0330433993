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
check("shiftHours(21, 6)", () => same(all.shiftHours(21, 6), 9));
check("shiftHours(23, 6)", () => same(all.shiftHours(23, 6), 7));
check("shiftHours(44, 6)", () => same(all.shiftHours(44, 6), -14));
check("shiftHours(11, 6)", () => same(all.shiftHours(11, 6), 19));
check("shiftHours(22, 5)", () => same(all.shiftHours(22, 5), 7));
check("shiftHours(22, 7)", () => same(all.shiftHours(22, 7), 9));
check("shiftHours(22, 12)", () => same(all.shiftHours(22, 12), 14));
check("shiftHours(22, 3)", () => same(all.shiftHours(22, 3), 5));
check("needsBreak(270)", () => same(all.needsBreak(270), true));
check("needsBreak(269)", () => same(all.needsBreak(269), false));
check("needsBreak(271)", () => same(all.needsBreak(271), true));
check("needsBreak(540)", () => same(all.needsBreak(540), true));
check("needsBreak(135)", () => same(all.needsBreak(135), false));
check("nightBonus(4, 24)", () => same(all.nightBonus(4, 24), 24));
check("nightBonus(3, 24)", () => same(all.nightBonus(3, 24), 18));
check("nightBonus(5, 24)", () => same(all.nightBonus(5, 24), 30));
check("nightBonus(8, 24)", () => same(all.nightBonus(8, 24), 48));
check("nightBonus(2, 24)", () => same(all.nightBonus(2, 24), 12));
check("nightBonus(4, 23)", () => same(all.nightBonus(4, 23), 23));
check("nightBonus(4, 25)", () => same(all.nightBonus(4, 25), 25));
check("nightBonus(4, 48)", () => same(all.nightBonus(4, 48), 48));
check("nightBonus(4, 12)", () => same(all.nightBonus(4, 12), 12));
check("overtimePay(9, 20)", () => same(all.overtimePay(9, 20), 30));
check("overtimePay(8, 20)", () => same(all.overtimePay(8, 20), 0));
check("overtimePay(10, 20)", () => same(all.overtimePay(10, 20), 60));
check("overtimePay(18, 20)", () => same(all.overtimePay(18, 20), 300));
check("overtimePay(4, 20)", () => same(all.overtimePay(4, 20), 0));
check("overtimePay(9, 19)", () => same(all.overtimePay(9, 19), 28.5));
check("overtimePay(9, 21)", () => same(all.overtimePay(9, 21), 31.5));
check("overtimePay(9, 40)", () => same(all.overtimePay(9, 40), 60));
check("overtimePay(9, 10)", () => same(all.overtimePay(9, 10), 15));
check("weeklyRest(6)", () => same(all.weeklyRest(6), 2));
check("weeklyRest(5)", () => same(all.weeklyRest(5), 1));
check("weeklyRest(7)", () => same(all.weeklyRest(7), 2));
check("weeklyRest(12)", () => same(all.weeklyRest(12), 2));
check("weeklyRest(3)", () => same(all.weeklyRest(3), 1));
check("MAX_DUTY_HOURS", () => assert.strictEqual(all.MAX_DUTY_HOURS, 13));

console.log(failures === 0 ? "all tests passed" : failures + " failed");
if (failures > 0) process.exitCode = 1;
