"use strict";

/**
 * What a reader pays a month; see docs/fines/instalment.md.
 * @param {number} debt
 * @param {number} months
 */
function instalment(debt, months) {
  return Math.ceil(debt / months);
}

module.exports = { instalment };
