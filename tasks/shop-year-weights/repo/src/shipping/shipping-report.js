"use strict";

const { FREE_SHIPPING_FROM } = require("./free-shipping-from.js");
const { parcelCount } = require("./parcel-count.js");
const { volumeWeight } = require("./volume-weight.js");
const { billableWeight } = require("./billable-weight.js");
const { shippingFee } = require("./shipping-fee.js");
const { deliveryDays } = require("./delivery-days.js");
const { insuranceFee } = require("./insurance-fee.js");

/** The figures of shipping in the monthly report. */
function shippingReport() {
  return [
    FREE_SHIPPING_FROM,
    parcelCount(23, 5),
    parcelCount(22, 5),
    parcelCount(24, 5),
    parcelCount(46, 5),
    parcelCount(11, 5),
    parcelCount(23, 4),
    volumeWeight(50, 40, 30),
    volumeWeight(49, 40, 30),
    volumeWeight(51, 40, 30),
    volumeWeight(100, 40, 30),
    volumeWeight(25, 40, 30),
    volumeWeight(50, 39, 30),
    billableWeight(9, 12),
    billableWeight(8, 12),
    billableWeight(10, 12),
    billableWeight(18, 12),
    billableWeight(4, 12),
    billableWeight(9, 11),
    shippingFee(50, 4),
    shippingFee(49, 4),
    shippingFee(51, 4),
    shippingFee(100, 4),
    shippingFee(25, 4),
    shippingFee(50, 3),
    deliveryDays(950),
    deliveryDays(949),
    deliveryDays(951),
    deliveryDays(1900),
    deliveryDays(475),
    insuranceFee(120),
    insuranceFee(119),
    insuranceFee(121),
    insuranceFee(240),
    insuranceFee(60),
  ];
}

module.exports = { shippingReport };
