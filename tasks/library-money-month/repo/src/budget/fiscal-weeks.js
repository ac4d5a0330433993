"use strict";

/** Weeks of a business year; see docs/budget/fiscal-weeks.md. */
const FISCAL_WEEKS = 52;

module.exports = { FISCAL_WEEKS };
