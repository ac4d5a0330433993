"use strict";

/** The month in which the business year begins; see docs/reports/fiscal-start-month.md. */
const FISCAL_START_MONTH = 4;

module.exports = { FISCAL_START_MONTH };
