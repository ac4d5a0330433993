"use strict";

const { lineTotal } = require("./line-total.js");
const { netPrice } = require("./net-price.js");
const { grossPrice } = require("./gross-price.js");
const { markdown } = require("./markdown.js");
const { unitPrice } = require("./unit-price.js");
const { bulkPrice } = require("./bulk-price.js");
const { roundCents } = require("./round-cents.js");

/** The figures of pricing in the monthly report. */
function pricingReport() {
  return [
    lineTotal(7, 6),
    lineTotal(6, 6),
    lineTotal(8, 6),
    lineTotal(14, 6),
    lineTotal(3, 6),
    lineTotal(7, 5),
    netPrice(120, 0.2),
    netPrice(119, 0.2),
    netPrice(121, 0.2),
    netPrice(240, 0.2),
    netPrice(60, 0.2),
    netPrice(120, -0.8),
    grossPrice(100, 0.2),
    grossPrice(99, 0.2),
    grossPrice(101, 0.2),
    grossPrice(200, 0.2),
    grossPrice(50, 0.2),
    grossPrice(100, -0.8),
    markdown(80, 25),
    markdown(79, 25),
    markdown(81, 25),
    markdown(160, 25),
    markdown(40, 25),
    markdown(80, 24),
    unitPrice(48, 8),
    unitPrice(47, 8),
    unitPrice(49, 8),
    unitPrice(96, 8),
    unitPrice(24, 8),
    unitPrice(48, 7),
    bulkPrice(20, 10),
    bulkPrice(19, 10),
    bulkPrice(21, 10),
    bulkPrice(40, 10),
    bulkPrice(10, 10),
    bulkPrice(20, 9),
    roundCents(12.346),
    roundCents(11.346),
    roundCents(13.346),
    roundCents(24.692),
    roundCents(6),
  ];
}

module.exports = { pricingReport };
