"use strict";

const { pointsFor } = require("./points-for.js");
const { pointsWorth } = require("./points-worth.js");
const { tierOf } = require("./tier-of.js");
const { birthdayBonus } = require("./birthday-bonus.js");
const { expiresAfter } = require("./expires-after.js");

/** The figures of loyalty in the monthly report. */
function loyaltyReport() {
  return [
    pointsFor(129),
    pointsFor(128),
    pointsFor(130),
    pointsFor(258),
    pointsFor(64),
    pointsWorth(200),
    pointsWorth(199),
    pointsWorth(201),
    pointsWorth(400),
    pointsWorth(100),
    tierOf(1500),
    tierOf(1499),
    tierOf(1501),
    tierOf(3000),
    tierOf(750),
    birthdayBonus(30, true),
    birthdayBonus(29, true),
    birthdayBonus(31, true),
    birthdayBonus(60, true),
    birthdayBonus(15, true),
    birthdayBonus(30, false),
    expiresAfter(18),
    expiresAfter(17),
    expiresAfter(19),
    expiresAfter(36),
    expiresAfter(9),
  ];
}

module.exports = { loyaltyReport };
