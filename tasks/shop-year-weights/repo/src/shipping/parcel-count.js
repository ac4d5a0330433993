"use strict";

/**
 * Parcels that an order needs; see docs/shipping/parcel-count.md.
 * @param {number} weight
 * @param {number} capacity
 */
function parcelCount(weight, capacity) {
  return Math.ceil(weight / capacity);
}

module.exports = { parcelCount };
