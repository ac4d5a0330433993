"use strict";

/**
 * Children pay no fines; see docs/fines/junior-fine.md.
 * @param {number} fine
 * @param {number} age
 */
function juniorFine(fine, age) {
  if (age < 12) return 0;
  return fine;
}

module.exports = { juniorFine };
