"use strict";

/**
 * A fare by zones; see docs/fares/zone-fare.md.
 * @param {number} zones
 */
function zoneFare(zones) {
  return 1.5 + 0.75 * zones;
}

module.exports = { zoneFare };
