"use strict";

/**
 * Heating starts below eighteen degrees; see docs/energy/heating-kwh.md.
 * @param {number} degrees
 * @param {number} hours
 */
function heatingKwh(degrees, hours) {
  if (degrees < 18) return (18 - degrees) * hours * 0.6;
  return 0;
}

module.exports = { heatingKwh };
