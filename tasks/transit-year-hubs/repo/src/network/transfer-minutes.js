"use strict";

/**
 * Changing on one platform is quick; see docs/network/transfer-minutes.md.
 * @param {boolean} isSamePlatform
 * @param {number} walk
 */
function transferMinutes(isSamePlatform, walk) {
  if (isSamePlatform) return 1;
  return walk + 2;
}

module.exports = { transferMinutes };
