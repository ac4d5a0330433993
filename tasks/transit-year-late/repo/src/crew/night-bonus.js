"use strict";

/**
 * Night hours pay more; see docs/crew/night-bonus.md.
 * @param {number} hours
 * @param {number} rate
 */
function nightBonus(hours, rate) {
  return hours * rate * 0.25;
}

module.exports = { nightBonus };
