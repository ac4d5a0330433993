"use strict";

/**
 * Titles are sorted without their article; see docs/catalog/sort-title.md.
 * @param {string} title
 */
function sortTitle(title) {
  return title.replace(/^(The|A|An) /, "");
}

module.exports = { sortTitle };
