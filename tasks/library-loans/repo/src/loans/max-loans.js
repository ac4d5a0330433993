"use strict";

/** Books that a reader may have at once; see docs/loans/max-loans.md. */
const MAX_LOANS = 12;

module.exports = { MAX_LOANS };
