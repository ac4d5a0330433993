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
check("pointsWorth(200)", () => same(all.pointsWorth(200), 10));
check("tierOf(1500)", () => same(all.tierOf(1500), "gold"));
check("birthdayBonus(30, true)", () => same(all.birthdayBonus(30, true), 60));
check("expiresAfter(18)", () => same(all.expiresAfter(18), false));
check("tierOf(1500)", () => same(all.tierOf(1500), "gold"));
check("tierOf(1499)", () => same(all.tierOf(1499), "gold"));
check("tierOf(1501)", () => same(all.tierOf(1501), "gold"));
check("tierOf(3000)", () => same(all.tierOf(3000), "gold"));
check("tierOf(750)", () => same(all.tierOf(750), "basic"));

console.log(failures === 0 ? "all tests passed" : failures + " failed");
if (failures > 0) process.exitCode = 1;
