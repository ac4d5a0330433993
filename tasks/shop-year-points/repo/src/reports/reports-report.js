"use strict";

const { margin } = require("./margin.js");
const { growth } = require("./growth.js");
const { basketMean } = require("./basket-mean.js");
const { conversion } = require("./conversion.js");
const { FISCAL_START_MONTH } = require("./fiscal-start-month.js");

/** The figures of reports in the monthly report. */
function reportsReport() {
  return [
    margin(200, 150),
    margin(199, 150),
    margin(201, 150),
    margin(400, 150),
    margin(100, 150),
    margin(200, 149),
    growth(120, 100),
    growth(119, 100),
    growth(121, 100),
    growth(240, 100),
    growth(60, 100),
    growth(120, 99),
    basketMean(4200, 60),
    basketMean(4199, 60),
    basketMean(4201, 60),
    basketMean(8400, 60),
    basketMean(2100, 60),
    basketMean(4200, 59),
    conversion(30, 1200),
    conversion(29, 1200),
    conversion(31, 1200),
    conversion(60, 1200),
    conversion(15, 1200),
    conversion(30, 1199),
    FISCAL_START_MONTH,
  ];
}

module.exports = { reportsReport };
