"use strict";

/**
 * Amounts are rounded to cents; see docs/pricing/round-cents.md.
 * @param {number} amount
 */
function roundCents(amount) {
  return Math.round(amount * 100) / 100;
}

module.exports = { roundCents };
