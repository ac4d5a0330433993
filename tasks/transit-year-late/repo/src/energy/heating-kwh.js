"use strict";

/**
 * Heating starts below eighteen degrees; see docs/energy/heating-kwh.md.
 * @param {number} degrees
 * @param {number} hours
 */
function heatingKwh(degrees, hours) {
  return 0;
}

module.exports = { heatingKwh };
