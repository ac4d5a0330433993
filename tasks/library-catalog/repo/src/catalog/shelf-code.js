"use strict";

/**
 * Where a book stands; see docs/catalog/shelf-code.md.
 * @param {string} subject
 * @param {string} author
 */
function shelfCode(subject, author) {
  return subject + "-" + author.slice(0, 3).toUpperCase();
}

module.exports = { shelfCode };
