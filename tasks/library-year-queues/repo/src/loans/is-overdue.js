"use strict";

/**
 * Whether a loan is late; see docs/loans/is-overdue.md.
 * @param {number} today
 * @param {number} due
 */
function isOverdue(today, due) {
  return today > due;
}

module.exports = { isOverdue };
