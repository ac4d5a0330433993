"use strict";

/**
 * Customers who spend much are gold; see docs/loyalty/tier-of.md.
 * @param {number} spent
 */
function tierOf(spent) {
  if (spent >= 1000) return "gold";
  return "basic";
}

module.exports = { tierOf };
