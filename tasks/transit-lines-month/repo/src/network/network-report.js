"use strict";

const { detourFactor } = require("./detour-factor.js");
const { stopSpacing } = require("./stop-spacing.js");
const { walkMinutes } = require("./walk-minutes.js");
const { isHub } = require("./is-hub.js");
const { transferMinutes } = require("./transfer-minutes.js");
const { coverage } = require("./coverage.js");

/** The figures of network in the monthly report. */
function networkReport() {
  return [
    detourFactor(18, 12),
    detourFactor(17, 12),
    detourFactor(19, 12),
    detourFactor(36, 12),
    detourFactor(9, 12),
    detourFactor(18, 11),
    stopSpacing(12, 25),
    stopSpacing(11, 25),
    stopSpacing(13, 25),
    stopSpacing(24, 25),
    stopSpacing(6, 25),
    stopSpacing(12, 24),
    walkMinutes(640),
    walkMinutes(639),
    walkMinutes(641),
    walkMinutes(1280),
    walkMinutes(320),
    isHub(2, 8000),
    isHub(1, 8000),
    isHub(3, 8000),
    isHub(4, 8000),
    isHub(1, 8000),
    isHub(2, 7999),
    transferMinutes(true, 6),
    transferMinutes(false, 6),
    transferMinutes(true, 5),
    transferMinutes(true, 7),
    transferMinutes(true, 12),
    transferMinutes(true, 3),
    coverage(640, 800),
    coverage(639, 800),
    coverage(641, 800),
    coverage(1280, 800),
    coverage(320, 800),
    coverage(640, 799),
  ];
}

module.exports = { networkReport };
