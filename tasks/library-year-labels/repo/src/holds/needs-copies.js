"use strict";

/**
 * Whether more copies are bought; see docs/holds/needs-copies.md.
 * @param {number} holds
 * @param {number} copies
 */
function needsCopies(holds, copies) {
  return holds > copies * 4;
}

module.exports = { needsCopies };
