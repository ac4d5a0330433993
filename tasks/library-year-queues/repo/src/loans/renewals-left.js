"use strict";

/**
 * Renewals that are left; see docs/loans/renewals-left.md.
 * @param {number} used
 */
function renewalsLeft(used) {
  return Math.max(0, 3 - used);
}

module.exports = { renewalsLeft };
