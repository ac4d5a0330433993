"use strict";

/**
 * Whether a card is blocked; see docs/fines/is-blocked.md.
 * @param {number} debt
 */
function isBlocked(debt) {
  return debt >= 10;
}

module.exports = { isBlocked };
