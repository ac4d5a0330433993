"use strict";

/**
 * People who live near a stop; see docs/network/coverage.md.
 * @param {number} served
 * @param {number} total
 */
function coverage(served, total) {
  return served / total;
}

module.exports = { coverage };
