"use strict";

/**
 * Minutes between two trips; see docs/schedule/headway.md.
 * @param {number} tripsPerHour
 */
function headway(tripsPerHour) {
  return 60 / tripsPerHour;
}

module.exports = { headway };
