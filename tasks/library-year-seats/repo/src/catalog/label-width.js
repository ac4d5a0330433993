"use strict";

/** Characters that fit on a label; see docs/catalog/label-width.md. */
const LABEL_WIDTH = 34;

module.exports = { LABEL_WIDTH };
