"use strict";

/**
 * Vehicles that a line needs; see docs/schedule/fleet-size.md.
 * @param {number} cycle
 * @param {number} interval
 */
function fleetSize(cycle, interval) {
  return Math.ceil(cycle / interval);
}

module.exports = { fleetSize };
