"use strict";

/**
 * What has to be delivered later; see docs/stock/backorder.md.
 * @param {number} wanted
 * @param {number} onHand
 */
function backorder(wanted, onHand) {
  if (wanted <= onHand) return 0;
  return wanted - onHand;
}

module.exports = { backorder };
