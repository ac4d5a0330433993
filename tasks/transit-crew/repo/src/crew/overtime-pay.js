"use strict";

/**
 * Hours beyond eight pay more; see docs/crew/overtime-pay.md.
 * @param {number} hours
 * @param {number} rate
 */
function overtimePay(hours, rate) {
  if (hours > 8) return (hours - 8) * rate * 1.5;
  return 0;
}

module.exports = { overtimePay };
