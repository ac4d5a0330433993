"use strict";

/**
 * How long charging takes; see docs/energy/charge-hours.md.
 * @param {number} missing
 * @param {number} power
 */
function chargeHours(missing, power) {
  return missing / (power * 0.9);
}

module.exports = { chargeHours };
