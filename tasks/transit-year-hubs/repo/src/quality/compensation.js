"use strict";

/**
 * What late riders get back; see docs/quality/compensation.md.
 * @param {number} fare
 * @param {number} delay
 */
function compensation(fare, delay) {
  return delay >= 60 ? fare : delay >= 45 ? fare / 2 : 0;
}

module.exports = { compensation };
