"use strict";

/**
 * The day on which a loan is due; see docs/loans/due-day.md.
 * @param {number} borrowed
 * @param {number} days
 */
function dueDay(borrowed, days) {
  return borrowed + days;
}

module.exports = { dueDay };
