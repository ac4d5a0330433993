"use strict";

/** The rest of a vehicle at the end of a line; see docs/schedule/layover-minutes.md. */
const LAYOVER_MINUTES = 8;

module.exports = { LAYOVER_MINUTES };
