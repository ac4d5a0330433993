"use strict";

const assert = require("node:assert");
const all = {
  ...require("../src/schedule/headway.js"),
  ...require("../src/schedule/arrival-minute.js"),
  ...require("../src/schedule/is-peak.js"),
  ...require("../src/schedule/wrap-minute.js"),
  ...require("../src/schedule/trips-needed.js"),
  ...require("../src/schedule/layover-minutes.js"),
  ...require("../src/schedule/cycle-minutes.js"),
  ...require("../src/schedule/fleet-size.js"),
  ...require("../src/network/detour-factor.js"),
  ...require("../src/network/stop-spacing.js"),
  ...require("../src/network/walk-minutes.js"),
  ...require("../src/network/is-hub.js"),
  ...require("../src/network/transfer-minutes.js"),
  ...require("../src/network/coverage.js"),
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

check("headway(12)", () => same(all.headway(12), 5));
check("headway(11)", () => same(all.headway(11), 5.454545454545454));
check("headway(13)", () => same(all.headway(13), 4.615384615384615));
check("headway(24)", () => same(all.headway(24), 2.5));
check("headway(6)", () => same(all.headway(6), 10));
check("arrivalMinute(480, 22, 3)", () => same(all.arrivalMinute(480, 22, 3), 505));
check("arrivalMinute(479, 22, 3)", () => same(all.arrivalMinute(479, 22, 3), 504));
check("arrivalMinute(481, 22, 3)", () => same(all.arrivalMinute(481, 22, 3), 506));
check("arrivalMinute(960, 22, 3)", () => same(all.arrivalMinute(960, 22, 3), 985));
check("arrivalMinute(240, 22, 3)", () => same(all.arrivalMinute(240, 22, 3), 265));
check("arrivalMinute(480, 21, 3)", () => same(all.arrivalMinute(480, 21, 3), 504));
check("arrivalMinute(480, 23, 3)", () => same(all.arrivalMinute(480, 23, 3), 506));
check("arrivalMinute(480, 44, 3)", () => same(all.arrivalMinute(480, 44, 3), 527));
check("arrivalMinute(480, 11, 3)", () => same(all.arrivalMinute(480, 11, 3), 494));
check("arrivalMinute(480, 22, 2)", () => same(all.arrivalMinute(480, 22, 2), 504));
check("arrivalMinute(480, 22, 4)", () => same(all.arrivalMinute(480, 22, 4), 506));
check("arrivalMinute(480, 22, 6)", () => same(all.arrivalMinute(480, 22, 6), 508));
check("arrivalMinute(480, 22, 1)", () => same(all.arrivalMinute(480, 22, 1), 503));
check("isPeak(7)", () => same(all.isPeak(7), true));
check("isPeak(6)", () => same(all.isPeak(6), false));
check("isPeak(8)", () => same(all.isPeak(8), true));
check("isPeak(14)", () => same(all.isPeak(14), false));
check("isPeak(3)", () => same(all.isPeak(3), false));
check("wrapMinute(1450)", () => same(all.wrapMinute(1450), 10));
check("wrapMinute(1449)", () => same(all.wrapMinute(1449), 9));
check("wrapMinute(1451)", () => same(all.wrapMinute(1451), 11));
check("wrapMinute(2900)", () => same(all.wrapMinute(2900), 20));
check("wrapMinute(725)", () => same(all.wrapMinute(725), 725));
check("tripsNeeded(310, 75)", () => same(all.tripsNeeded(310, 75), 5));
check("tripsNeeded(309, 75)", () => same(all.tripsNeeded(309, 75), 5));
check("tripsNeeded(311, 75)", () => same(all.tripsNeeded(311, 75), 5));
check("tripsNeeded(620, 75)", () => same(all.tripsNeeded(620, 75), 9));
check("tripsNeeded(155, 75)", () => same(all.tripsNeeded(155, 75), 3));
check("tripsNeeded(310, 74)", () => same(all.tripsNeeded(310, 74), 5));
check("tripsNeeded(310, 76)", () => same(all.tripsNeeded(310, 76), 5));
check("tripsNeeded(310, 150)", () => same(all.tripsNeeded(310, 150), 3));
check("tripsNeeded(310, 37)", () => same(all.tripsNeeded(310, 37), 9));
check("LAYOVER_MINUTES", () => assert.strictEqual(all.LAYOVER_MINUTES, 8));
check("cycleMinutes(30, 34, 8)", () => same(all.cycleMinutes(30, 34, 8), 80));
check("cycleMinutes(29, 34, 8)", () => same(all.cycleMinutes(29, 34, 8), 79));
check("cycleMinutes(31, 34, 8)", () => same(all.cycleMinutes(31, 34, 8), 81));
check("cycleMinutes(60, 34, 8)", () => same(all.cycleMinutes(60, 34, 8), 110));
check("cycleMinutes(15, 34, 8)", () => same(all.cycleMinutes(15, 34, 8), 65));
check("cycleMinutes(30, 33, 8)", () => same(all.cycleMinutes(30, 33, 8), 79));
check("cycleMinutes(30, 35, 8)", () => same(all.cycleMinutes(30, 35, 8), 81));
check("cycleMinutes(30, 68, 8)", () => same(all.cycleMinutes(30, 68, 8), 114));
check("cycleMinutes(30, 17, 8)", () => same(all.cycleMinutes(30, 17, 8), 63));
check("cycleMinutes(30, 34, 7)", () => same(all.cycleMinutes(30, 34, 7), 78));
check("cycleMinutes(30, 34, 9)", () => same(all.cycleMinutes(30, 34, 9), 82));
check("cycleMinutes(30, 34, 16)", () => same(all.cycleMinutes(30, 34, 16), 96));
check("cycleMinutes(30, 34, 4)", () => same(all.cycleMinutes(30, 34, 4), 72));
check("fleetSize(80, 12)", () => same(all.fleetSize(80, 12), 7));
check("fleetSize(79, 12)", () => same(all.fleetSize(79, 12), 7));
check("fleetSize(81, 12)", () => same(all.fleetSize(81, 12), 7));
check("fleetSize(160, 12)", () => same(all.fleetSize(160, 12), 14));
check("fleetSize(40, 12)", () => same(all.fleetSize(40, 12), 4));
check("fleetSize(80, 11)", () => same(all.fleetSize(80, 11), 8));
check("fleetSize(80, 13)", () => same(all.fleetSize(80, 13), 7));
check("fleetSize(80, 24)", () => same(all.fleetSize(80, 24), 4));
check("fleetSize(80, 6)", () => same(all.fleetSize(80, 6), 14));
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

console.log(failures === 0 ? "all tests passed" : failures + " failed");
if (failures > 0) process.exitCode = 1;
