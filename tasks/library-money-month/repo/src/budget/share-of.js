"use strict";

/**
 * A share in percent; see docs/budget/share-of.md.
 * @param {number} part
 * @param {number} whole
 */
function shareOf(part, whole) {
  return part / whole * 100;
}

module.exports = { shareOf };
