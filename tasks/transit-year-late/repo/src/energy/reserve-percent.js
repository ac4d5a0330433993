"use strict";

/** What stays in the battery; see docs/energy/reserve-percent.md. */
const RESERVE_PERCENT = 15;

module.exports = { RESERVE_PERCENT };
