"use strict";

/**
 * Whether a stop is a hub; see docs/network/is-hub.md.
 * @param {number} lines
 * @param {number} riders
 */
function isHub(lines, riders) {
  return lines >= 3 || riders > 5000;
}

module.exports = { isHub };
