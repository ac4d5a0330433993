"use strict";

const assert = require("node:assert");
const all = {
  ...require("../src/crew/shift-hours.js"),
  ...require("../src/crew/needs-break.js"),
  ...require("../src/crew/night-bonus.js"),
  ...require("../src/crew/overtime-pay.js"),
  ...require("../src/crew/weekly-rest.js"),
  ...require("../src/crew/max-duty-hours.js"),
  ...require("../src/network/detour-factor.js"),
  ...require("../src/network/stop-spacing.js"),
  ...require("../src/network/walk-minutes.js"),
  ...require("../src/network/is-hub.js"),
  ...require("../src/network/transfer-minutes.js"),
  ...require("../src/network/coverage.js"),
  ...require("../src/energy/traction-kwh.js"),
  ...require("../src/energy/range-km.js"),
  ...require("../src/energy/charge-hours.js"),
  ...require("../src/energy/reserve-percent.js"),
  ...require("../src/energy/heating-kwh.js"),
  ...require("../src/quality/punctuality.js"),
  ...require("../src/quality/is-late.js"),
  ...require("../src/quality/crowding.js"),
  ...require("../src/quality/compensation.js"),
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
check("detourFactor(18, 12)", () => same(all.detourFactor(18, 12), 1.5));
check("detourFactor(17, 12)", () => same(all.detourFactor(17, 12), 1.4166666666666667));
check("detourFactor(19, 12)", () => same(all.detourFactor(19, 12), 1.5833333333333333));
check("detourFactor(36, 12)", () => same(all.detourFactor(36, 12), 3));
check("detourFactor(9, 12)", () => same(all.detourFactor(9, 12), 0.75));
check("detourFactor(18, 11)", () => same(all.detourFactor(18, 11), 1.6363636363636365));
check("detourFactor(18, 13)", () => same(all.detourFactor(18, 13), 1.3846153846153846));
check("detourFactor(18, 24)", () => same(all.detourFactor(18, 24), 0.75));
check("detourFactor(18, 6)", () => same(all.detourFactor(18, 6), 3));
check("stopSpacing(12, 25)", () => same(all.stopSpacing(12, 25), 0.5));
check("stopSpacing(11, 25)", () => same(all.stopSpacing(11, 25), 0.4583333333333333));
check("stopSpacing(13, 25)", () => same(all.stopSpacing(13, 25), 0.5416666666666666));
check("stopSpacing(24, 25)", () => same(all.stopSpacing(24, 25), 1));
check("stopSpacing(6, 25)", () => same(all.stopSpacing(6, 25), 0.25));
check("stopSpacing(12, 24)", () => same(all.stopSpacing(12, 24), 0.5217391304347826));
check("stopSpacing(12, 26)", () => same(all.stopSpacing(12, 26), 0.48));
check("stopSpacing(12, 50)", () => same(all.stopSpacing(12, 50), 0.24489795918367346));
check("stopSpacing(12, 12)", () => same(all.stopSpacing(12, 12), 1.0909090909090908));
check("walkMinutes(640)", () => same(all.walkMinutes(640), 8));
check("walkMinutes(639)", () => same(all.walkMinutes(639), 7.9875));
check("walkMinutes(641)", () => same(all.walkMinutes(641), 8.0125));
check("walkMinutes(1280)", () => same(all.walkMinutes(1280), 16));
check("walkMinutes(320)", () => same(all.walkMinutes(320), 4));
check("isHub(2, 8000)", () => same(all.isHub(2, 8000), true));
check("isHub(1, 8000)", () => same(all.isHub(1, 8000), true));
check("isHub(3, 8000)", () => same(all.isHub(3, 8000), true));
check("isHub(4, 8000)", () => same(all.isHub(4, 8000), true));
check("isHub(1, 8000)", () => same(all.isHub(1, 8000), true));
check("isHub(2, 7999)", () => same(all.isHub(2, 7999), true));
check("isHub(2, 8001)", () => same(all.isHub(2, 8001), true));
check("isHub(2, 16000)", () => same(all.isHub(2, 16000), true));
check("isHub(2, 4000)", () => same(all.isHub(2, 4000), false));
check("transferMinutes(true, 6)", () => same(all.transferMinutes(true, 6), 1));
check("transferMinutes(false, 6)", () => same(all.transferMinutes(false, 6), 8));
check("transferMinutes(true, 5)", () => same(all.transferMinutes(true, 5), 1));
check("transferMinutes(true, 7)", () => same(all.transferMinutes(true, 7), 1));
check("transferMinutes(true, 12)", () => same(all.transferMinutes(true, 12), 1));
check("transferMinutes(true, 3)", () => same(all.transferMinutes(true, 3), 1));
check("coverage(640, 800)", () => same(all.coverage(640, 800), 0.8));
check("coverage(639, 800)", () => same(all.coverage(639, 800), 0.79875));
check("coverage(641, 800)", () => same(all.coverage(641, 800), 0.80125));
check("coverage(1280, 800)", () => same(all.coverage(1280, 800), 1.6));
check("coverage(320, 800)", () => same(all.coverage(320, 800), 0.4));
check("coverage(640, 799)", () => same(all.coverage(640, 799), 0.8010012515644556));
check("coverage(640, 801)", () => same(all.coverage(640, 801), 0.7990012484394506));
check("coverage(640, 1600)", () => same(all.coverage(640, 1600), 0.4));
check("coverage(640, 400)", () => same(all.coverage(640, 400), 1.6));
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
check("punctuality(930, 1000)", () => same(all.punctuality(930, 1000), 0.93));
check("punctuality(929, 1000)", () => same(all.punctuality(929, 1000), 0.929));
check("punctuality(931, 1000)", () => same(all.punctuality(931, 1000), 0.931));
check("punctuality(1860, 1000)", () => same(all.punctuality(1860, 1000), 1.86));
check("punctuality(465, 1000)", () => same(all.punctuality(465, 1000), 0.465));
check("punctuality(930, 999)", () => same(all.punctuality(930, 999), 0.9309309309309309));
check("punctuality(930, 1001)", () => same(all.punctuality(930, 1001), 0.929070929070929));
check("punctuality(930, 2000)", () => same(all.punctuality(930, 2000), 0.465));
check("punctuality(930, 500)", () => same(all.punctuality(930, 500), 1.86));
check("isLate(5)", () => same(all.isLate(5), false));
check("isLate(4)", () => same(all.isLate(4), false));
check("isLate(6)", () => same(all.isLate(6), true));
check("isLate(10)", () => same(all.isLate(10), true));
check("isLate(2)", () => same(all.isLate(2), false));
check("crowding(90, 60)", () => same(all.crowding(90, 60), 1.5));
check("crowding(89, 60)", () => same(all.crowding(89, 60), 1.4833333333333334));
check("crowding(91, 60)", () => same(all.crowding(91, 60), 1.5166666666666666));
check("crowding(180, 60)", () => same(all.crowding(180, 60), 3));
check("crowding(45, 60)", () => same(all.crowding(45, 60), 0.75));
check("crowding(90, 59)", () => same(all.crowding(90, 59), 1.5254237288135593));
check("crowding(90, 61)", () => same(all.crowding(90, 61), 1.4754098360655739));
check("crowding(90, 120)", () => same(all.crowding(90, 120), 0.75));
check("crowding(90, 30)", () => same(all.crowding(90, 30), 3));
check("compensation(8, 35)", () => same(all.compensation(8, 35), 4));
check("compensation(7, 35)", () => same(all.compensation(7, 35), 3.5));
check("compensation(9, 35)", () => same(all.compensation(9, 35), 4.5));
check("compensation(16, 35)", () => same(all.compensation(16, 35), 8));
check("compensation(4, 35)", () => same(all.compensation(4, 35), 2));
check("compensation(8, 34)", () => same(all.compensation(8, 34), 4));
check("compensation(8, 36)", () => same(all.compensation(8, 36), 4));
check("compensation(8, 70)", () => same(all.compensation(8, 70), 8));
check("compensation(8, 17)", () => same(all.compensation(8, 17), 0));

console.log(failures === 0 ? "all tests passed" : failures + " failed");
if (failures > 0) process.exitCode = 1;
