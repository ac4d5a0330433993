"use strict";

/**
 * What a loan costs; see docs/budget/cost-per-loan.md.
 * @param {number} spent
 * @param {number} loans
 */
function costPerLoan(spent, loans) {
  return spent / loans;
}

module.exports = { costPerLoan };
