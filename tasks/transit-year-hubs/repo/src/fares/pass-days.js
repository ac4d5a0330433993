"use strict";

/** Days that a monthly pass is valid; see docs/fares/pass-days.md. */
const PASS_DAYS = 31;

module.exports = { PASS_DAYS };
