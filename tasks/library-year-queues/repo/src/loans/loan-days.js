"use strict";

/**
 * New books go out for two weeks; see docs/loans/loan-days.md.
 * @param {boolean} isNew
 */
function loanDays(isNew) {
  if (isNew) return 14;
  return 28;
}

module.exports = { loanDays };
