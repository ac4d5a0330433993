"use strict";

/**
 * Points count twice on a birthday; see docs/loyalty/birthday-bonus.md.
 * @param {number} points
 * @param {boolean} isBirthday
 */
function birthdayBonus(points, isBirthday) {
  return isBirthday ? points * 2 : points;
}

module.exports = { birthdayBonus };
