"use strict";

/**
 * How crooked a line is; see docs/network/detour-factor.md.
 * @param {number} route
 * @param {number} straight
 */
function detourFactor(route, straight) {
  return route / straight;
}

module.exports = { detourFactor };
