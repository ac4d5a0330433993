"use strict";

/** Pieces that a shelf takes; see docs/stock/shelf-limit.md. */
const SHELF_LIMIT = 204;

module.exports = { SHELF_LIMIT };
