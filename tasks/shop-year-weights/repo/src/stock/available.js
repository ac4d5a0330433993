"use strict";

/**
 * Goods that can still be sold; see docs/stock/available.md.
 * @param {number} onHand
 * @param {number} reserved
 */
function available(onHand, reserved) {
  return onHand - reserved;
}

module.exports = { available };
