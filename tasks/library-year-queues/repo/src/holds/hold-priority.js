"use strict";

/**
 * Staff wait behind readers; see docs/holds/hold-priority.md.
 * @param {boolean} isStaff
 * @param {number} days
 */
function holdPriority(isStaff, days) {
  if (isStaff) return days - 100;
  return days;
}

module.exports = { holdPriority };
