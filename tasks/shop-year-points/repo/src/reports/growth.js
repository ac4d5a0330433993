"use strict";

/**
 * Growth against the year before; see docs/reports/growth.md.
 * @param {number} now
 * @param {number} before
 */
function growth(now, before) {
  return (now - before) / before;
}

module.exports = { growth };
