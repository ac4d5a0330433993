"use strict";

/**
 * The weight that is charged; see docs/shipping/billable-weight.md.
 * @param {number} actual
 * @param {number} volumetric
 */
function billableWeight(actual, volumetric) {
  return Math.max(actual, volumetric);
}

module.exports = { billableWeight };
