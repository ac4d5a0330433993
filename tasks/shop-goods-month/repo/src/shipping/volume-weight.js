"use strict";

/**
 * Bulky parcels count by volume; see docs/shipping/volume-weight.md.
 * @param {number} length
 * @param {number} width
 * @param {number} height
 */
function volumeWeight(length, width, height) {
  return length * width * height / 5000;
}

module.exports = { volumeWeight };
