"use strict";

/**
 * The last digit of a number; see docs/catalog/check-digit.md.
 * @param {number} sum
 */
function checkDigit(sum) {
  return (11 - sum % 11) % 11;
}

module.exports = { checkDigit };
