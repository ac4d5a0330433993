"use strict";

/** Orders of this amount ship for free; see docs/shipping/free-shipping-from.md. */
const FREE_SHIPPING_FROM = 50;

module.exports = { FREE_SHIPPING_FROM };
