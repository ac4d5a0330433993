"use strict";

/**
 * How full a vehicle is; see docs/quality/crowding.md.
 * @param {number} riders
 * @param {number} capacity
 */
function crowding(riders, capacity) {
  return riders / capacity;
}

module.exports = { crowding };
