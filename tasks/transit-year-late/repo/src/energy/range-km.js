"use strict";

/**
 * How far a bus gets; see docs/energy/range-km.md.
 * @param {number} battery
 * @param {number} reserve
 * @param {number} perKm
 */
function rangeKm(battery, reserve, perKm) {
  return (battery - reserve) / perKm;
}

module.exports = { rangeKm };
