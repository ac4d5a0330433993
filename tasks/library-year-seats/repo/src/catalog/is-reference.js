"use strict";

/**
 * Whether a book stays in the house; see docs/catalog/is-reference.md.
 * @param {string} code
 */
function isReference(code) {
  return code.startsWith("R");
}

module.exports = { isReference };
