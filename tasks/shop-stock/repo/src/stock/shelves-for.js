"use strict";

/**
 * Shelves that a delivery needs; see docs/stock/shelves-for.md.
 * @param {number} pieces
 * @param {number} limit
 */
function shelvesFor(pieces, limit) {
  return Math.ceil(pieces / limit);
}

module.exports = { shelvesFor };
