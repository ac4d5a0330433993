"use strict";

/**
 * Days until a parcel arrives; see docs/shipping/delivery-days.md.
 * @param {number} distance
 */
function deliveryDays(distance) {
  return 1 + Math.ceil(distance / 400);
}

module.exports = { deliveryDays };
