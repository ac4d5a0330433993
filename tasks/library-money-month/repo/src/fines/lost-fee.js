"use strict";

/**
 * What a lost book costs; see docs/fines/lost-fee.md.
 * @param {number} price
 * @param {number} handling
 */
function lostFee(price, handling) {
  return price + handling;
}

module.exports = { lostFee };
