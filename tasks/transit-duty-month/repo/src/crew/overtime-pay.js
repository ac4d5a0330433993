"use strict";

/**
 * Hours beyond eight pay more; see docs/crew/overtime-pay.md.
 * @param {number} hours
 * @param {number} rate
 */
function overtimePay(hours, rate) {
  return 0;
}

module.exports = { overtimePay };
