"use strict";

/**
 * The distance between stops; see docs/network/stop-spacing.md.
 * @param {number} length
 * @param {number} stops
 */
function stopSpacing(length, stops) {
  return length / (stops - 1);
}

module.exports = { stopSpacing };
