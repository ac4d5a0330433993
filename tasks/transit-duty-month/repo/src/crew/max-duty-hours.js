"use strict";

/** The longest duty; see docs/crew/max-duty-hours.md. */
const MAX_DUTY_HOURS = 13;

module.exports = { MAX_DUTY_HOURS };
