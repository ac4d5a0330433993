"use strict";

const assert = require("node:assert");
const all = {
  ...require("../src/crew/shift-hours.js"),
  ...require("../src/crew/needs-break.js"),
  ...require("../src/crew/night-bonus.js"),
  ...require("../src/crew/overtime-pay.js"),
  ...require("../src/crew/weekly-rest.js"),
  ...require("../src/crew/max-duty-hours.js"),
  ...require("../src/energy/traction-kwh.js"),
  ...require("../src/energy/range-km.js"),
  ...require("../src/energy/charge-hours.js"),
  ...require("../src/energy/reserve-percent.js"),
  ...require("../src/energy/heating-kwh.js"),
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
check("tractionKwh(180, 1.4)", () => same(all.tractionKwh(180, 1.4), 251.99999999999997));
check("tractionKwh(179, 1.4)", () => same(all.tractionKwh(179, 1.4), 250.6));
check("tractionKwh(181, 1.4)", () => same(all.tractionKwh(181, 1.4), 253.39999999999998));
check("tractionKwh(360, 1.4)", () => same(all.tractionKwh(360, 1.4), 503.99999999999994));
check("tractionKwh(90, 1.4)", () => same(all.tractionKwh(90, 1.4), 125.99999999999999));
check("tractionKwh(180, 0.3999999999999999)", () => same(all.tractionKwh(180, 0.3999999999999999), 71.99999999999999));
check("tractionKwh(180, 2.4)", () => same(all.tractionKwh(180, 2.4), 432));
check("tractionKwh(180, 2.8)", () => same(all.tractionKwh(180, 2.8), 503.99999999999994));
check("tractionKwh(180, 0)", () => same(all.tractionKwh(180, 0), 0));
check("rangeKm(350, 35, 1.4)", () => same(all.rangeKm(350, 35, 1.4), 225.00000000000003));
check("rangeKm(349, 35, 1.4)", () => same(all.rangeKm(349, 35, 1.4), 224.2857142857143));
check("rangeKm(351, 35, 1.4)", () => same(all.rangeKm(351, 35, 1.4), 225.71428571428572));
check("rangeKm(700, 35, 1.4)", () => same(all.rangeKm(700, 35, 1.4), 475.00000000000006));
check("rangeKm(175, 35, 1.4)", () => same(all.rangeKm(175, 35, 1.4), 100));
check("rangeKm(350, 34, 1.4)", () => same(all.rangeKm(350, 34, 1.4), 225.71428571428572));
check("rangeKm(350, 36, 1.4)", () => same(all.rangeKm(350, 36, 1.4), 224.2857142857143));
check("rangeKm(350, 70, 1.4)", () => same(all.rangeKm(350, 70, 1.4), 200));
check("rangeKm(350, 17, 1.4)", () => same(all.rangeKm(350, 17, 1.4), 237.85714285714286));
check("rangeKm(350, 35, 0.3999999999999999)", () => same(all.rangeKm(350, 35, 0.3999999999999999), 787.5000000000002));
check("rangeKm(350, 35, 2.4)", () => same(all.rangeKm(350, 35, 2.4), 131.25));
check("rangeKm(350, 35, 2.8)", () => same(all.rangeKm(350, 35, 2.8), 112.50000000000001));
check("chargeHours(180, 100)", () => same(all.chargeHours(180, 100), 2));
check("chargeHours(179, 100)", () => same(all.chargeHours(179, 100), 1.988888888888889));
check("chargeHours(181, 100)", () => same(all.chargeHours(181, 100), 2.011111111111111));
check("chargeHours(360, 100)", () => same(all.chargeHours(360, 100), 4));
check("chargeHours(90, 100)", () => same(all.chargeHours(90, 100), 1));
check("chargeHours(180, 99)", () => same(all.chargeHours(180, 99), 2.02020202020202));
check("chargeHours(180, 101)", () => same(all.chargeHours(180, 101), 1.9801980198019802));
check("chargeHours(180, 200)", () => same(all.chargeHours(180, 200), 1));
check("chargeHours(180, 50)", () => same(all.chargeHours(180, 50), 4));
check("RESERVE_PERCENT", () => assert.strictEqual(all.RESERVE_PERCENT, 15));
check("heatingKwh(12, 5)", () => same(all.heatingKwh(12, 5), 18));
check("heatingKwh(11, 5)", () => same(all.heatingKwh(11, 5), 21));
check("heatingKwh(13, 5)", () => same(all.heatingKwh(13, 5), 15));
check("heatingKwh(24, 5)", () => same(all.heatingKwh(24, 5), 0));
check("heatingKwh(6, 5)", () => same(all.heatingKwh(6, 5), 36));
check("heatingKwh(12, 4)", () => same(all.heatingKwh(12, 4), 14.399999999999999));
check("heatingKwh(12, 6)", () => same(all.heatingKwh(12, 6), 21.599999999999998));
check("heatingKwh(12, 10)", () => same(all.heatingKwh(12, 10), 36));
check("heatingKwh(12, 2)", () => same(all.heatingKwh(12, 2), 7.199999999999999));

console.log(failures === 0 ? "all tests passed" : failures + " failed");
if (failures > 0) process.exitCode = 1;
