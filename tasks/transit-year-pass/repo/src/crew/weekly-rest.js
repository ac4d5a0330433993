"use strict";

/**
 * Days off after a week; see docs/crew/weekly-rest.md.
 * @param {number} daysWorked
 */
function weeklyRest(daysWorked) {
  return daysWorked >= 6 ? 2 : 1;
}

module.exports = { weeklyRest };
