"use strict";

/**
 * Groups pay less; see docs/fares/group-fare.md.
 * @param {number} fare
 * @param {number} riders
 */
function groupFare(fare, riders) {
  return riders >= 10 ? fare * riders * 0.8 : fare * riders;
}

module.exports = { groupFare };
