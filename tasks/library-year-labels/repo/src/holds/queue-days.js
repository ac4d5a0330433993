"use strict";

/**
 * How long a hold may take; see docs/holds/queue-days.md.
 * @param {number} position
 * @param {number} loanDays
 * @param {number} copies
 */
function queueDays(position, loanDays, copies) {
  return Math.ceil(position / copies) * loanDays;
}

module.exports = { queueDays };
