"use strict";

/**
 * Energy that driving takes; see docs/energy/traction-kwh.md.
 * @param {number} km
 * @param {number} perKm
 */
function tractionKwh(km, perKm) {
  return km * perKm;
}

module.exports = { tractionKwh };
