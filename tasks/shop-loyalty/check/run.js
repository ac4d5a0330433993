"use strict";

const assert = require("node:assert");
const all = {
  ...require("../src/loyalty/points-for.js"),
  ...require("../src/loyalty/points-worth.js"),
  ...require("../src/loyalty/tier-of.js"),
  ...require("../src/loyalty/birthday-bonus.js"),
  ...require("../src/loyalty/expires-after.js"),
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

check("pointsFor(129)", () => same(all.pointsFor(129), 12));
check("pointsFor(128)", () => same(all.pointsFor(128), 12));
check("pointsFor(130)", () => same(all.pointsFor(130), 13));
check("pointsFor(258)", () => same(all.pointsFor(258), 25));
check("pointsFor(64)", () => same(all.pointsFor(64), 6));
check("pointsWorth(200)", () => same(all.pointsWorth(200), 10));
check("pointsWorth(199)", () => same(all.pointsWorth(199), 9.950000000000001));
check("pointsWorth(201)", () => same(all.pointsWorth(201), 10.05));
check("pointsWorth(400)", () => same(all.pointsWorth(400), 20));
check("pointsWorth(100)", () => same(all.pointsWorth(100), 5));
check("tierOf(1500)", () => same(all.tierOf(1500), "gold"));
check("tierOf(1499)", () => same(all.tierOf(1499), "gold"));
check("tierOf(1501)", () => same(all.tierOf(1501), "gold"));
check("tierOf(3000)", () => same(all.tierOf(3000), "gold"));
check("tierOf(750)", () => same(all.tierOf(750), "basic"));
check("birthdayBonus(30, true)", () => same(all.birthdayBonus(30, true), 60));
check("birthdayBonus(29, true)", () => same(all.birthdayBonus(29, true), 58));
check("birthdayBonus(31, true)", () => same(all.birthdayBonus(31, true), 62));
check("birthdayBonus(60, true)", () => same(all.birthdayBonus(60, true), 120));
check("birthdayBonus(15, true)", () => same(all.birthdayBonus(15, true), 30));
check("birthdayBonus(30, false)", () => same(all.birthdayBonus(30, false), 30));
check("expiresAfter(18)", () => same(all.expiresAfter(18), false));
check("expiresAfter(17)", () => same(all.expiresAfter(17), false));
check("expiresAfter(19)", () => same(all.expiresAfter(19), false));
check("expiresAfter(36)", () => same(all.expiresAfter(36), true));
check("expiresAfter(9)", () => same(all.expiresAfter(9), false));

console.log(failures === 0 ? "all tests passed" : failures + " failed");
if (failures > 0) process.exitCode = 1;
