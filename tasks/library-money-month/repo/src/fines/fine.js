"use strict";

/**
 * What a late book costs; see docs/fines/fine.md.
 * @param {number} daysLate
 */
function fine(daysLate) {
  return Math.min(daysLate * 0.25, 10);
}

module.exports = { fine };
