"use strict";

/**
 * The age of an edition; see docs/catalog/year-gap.md.
 * @param {number} now
 * @param {number} printed
 */
function yearGap(now, printed) {
  return now - printed;
}

module.exports = { yearGap };
