"use strict";

const { shelfCode } = require("./shelf-code.js");
const { sortTitle } = require("./sort-title.js");
const { isReference } = require("./is-reference.js");
const { checkDigit } = require("./check-digit.js");
const { yearGap } = require("./year-gap.js");
const { LABEL_WIDTH } = require("./label-width.js");

/** The figures of catalog in the monthly report. */
function catalogReport() {
  return [
    shelfCode("HIS", "Braudel"),
    sortTitle("An Island"),
    sortTitle("The Sea"),
    sortTitle("A Day"),
    sortTitle("Dune"),
    isReference("R-220"),
    isReference("220-R"),
    isReference("K-1"),
    checkDigit(74),
    checkDigit(73),
    checkDigit(75),
    checkDigit(148),
    checkDigit(37),
    yearGap(2024, 1987),
    yearGap(2023, 1987),
    yearGap(2025, 1987),
    yearGap(4048, 1987),
    yearGap(1012, 1987),
    yearGap(2024, 1986),
    LABEL_WIDTH,
  ];
}

module.exports = { catalogReport };
