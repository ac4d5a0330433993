"use strict";

/**
 * A marked-down price; see docs/pricing/markdown.md.
 * @param {number} price
 * @param {number} percent
 */
function markdown(price, percent) {
  return price * (100 - percent) / 100;
}

module.exports = { markdown };
