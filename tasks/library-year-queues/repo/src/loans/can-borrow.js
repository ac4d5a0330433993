"use strict";

/**
 * Whether a reader may borrow more; see docs/loans/can-borrow.md.
 * @param {number} current
 * @param {number} limit
 * @param {number} debt
 */
function canBorrow(current, limit, debt) {
  return current < limit && debt < 10;
}

module.exports = { canBorrow };
