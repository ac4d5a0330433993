"use strict";

const assert = require("node:assert");
const all = {
  ...require("../src/loans/due-day.js"),
  ...require("../src/loans/is-overdue.js"),
  ...require("../src/loans/renewals-left.js"),
  ...require("../src/loans/loan-days.js"),
  ...require("../src/loans/max-loans.js"),
  ...require("../src/loans/can-borrow.js"),
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

check("dueDay(12, 28)", () => same(all.dueDay(12, 28), 40));
check("isOverdue(40, 40)", () => same(all.isOverdue(40, 40), false));
check("renewalsLeft(1)", () => same(all.renewalsLeft(1), 2));
check("loanDays(true)", () => same(all.loanDays(true), 14));
check("MAX_LOANS", () => assert.strictEqual(all.MAX_LOANS, 20));
check("canBorrow(20, 20, 0)", () => same(all.canBorrow(20, 20, 0), false));
check("isOverdue(40, 40)", () => same(all.isOverdue(40, 40), false));
check("isOverdue(39, 40)", () => same(all.isOverdue(39, 40), false));
check("isOverdue(41, 40)", () => same(all.isOverdue(41, 40), true));
check("isOverdue(80, 40)", () => same(all.isOverdue(80, 40), true));
check("isOverdue(20, 40)", () => same(all.isOverdue(20, 40), false));
check("isOverdue(40, 39)", () => same(all.isOverdue(40, 39), true));
check("isOverdue(40, 41)", () => same(all.isOverdue(40, 41), false));
check("isOverdue(40, 80)", () => same(all.isOverdue(40, 80), false));
check("isOverdue(40, 20)", () => same(all.isOverdue(40, 20), true));
check("MAX_LOANS", () => assert.strictEqual(all.MAX_LOANS, 20));

console.log(failures === 0 ? "all tests passed" : failures + " failed");
if (failures > 0) process.exitCode = 1;
