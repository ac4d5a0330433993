"use strict";

/**
 * Several copies are cheaper; see docs/budget/discounted.md.
 * @param {number} price
 * @param {number} copies
 */
function discounted(price, copies) {
  return copies >= 5 ? price * copies * 0.85 : price * copies;
}

module.exports = { discounted };
