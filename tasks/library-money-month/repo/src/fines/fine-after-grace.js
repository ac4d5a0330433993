"use strict";

/**
 * Days that count after the grace days; see docs/fines/fine-after-grace.md.
 * @param {number} daysLate
 * @param {number} grace
 */
function fineAfterGrace(daysLate, grace) {
  return Math.max(0, daysLate - grace);
}

module.exports = { fineAfterGrace };
