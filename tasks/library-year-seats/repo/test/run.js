"use strict";

const { monthlyReport } = require("../src/monthly-report.js");

/** One number that stands for all figures. */
function digest(figures) {
  let sum = 7;
  for (const character of JSON.stringify(figures)) sum = (sum * 31 + character.charCodeAt(0)) % 1000003;
  return sum;
}

/** Of a report in which every rule of docs/ is followed. */
const EXPECTED = 396940;

const got = digest(monthlyReport());
if (got === EXPECTED) console.log("all tests passed");
else {
  console.log("FAIL monthlyReport(): expected digest " + EXPECTED + ", got " + got);
  process.exitCode = 1;
}
