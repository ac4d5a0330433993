"use strict";

const assert = require("node:assert");
const all = {
  ...require("../src/shipping/free-shipping-from.js"),
  ...require("../src/shipping/parcel-count.js"),
  ...require("../src/shipping/volume-weight.js"),
  ...require("../src/shipping/billable-weight.js"),
  ...require("../src/shipping/shipping-fee.js"),
  ...require("../src/shipping/delivery-days.js"),
  ...require("../src/shipping/insurance-fee.js"),
};

let failures = 0;
function check(name, body) {
  try {
    body();
  } catch (error) {
    failures++;
    console.log("FAIL " + name + ": " + error.message.split("\n")[0]);
  }
}
function same(got, wanted) {
  if (typeof wanted === "number" && Math.abs(got - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted))) return;
  assert.ok(Object.is(got, wanted), "expected " + wanted + ", got " + got);
}

check("FREE_SHIPPING_FROM", () => assert.strictEqual(all.FREE_SHIPPING_FROM, 50));
check("parcelCount(23, 5)", () => same(all.parcelCount(23, 5), 5));
check("volumeWeight(50, 40, 30)", () => same(all.volumeWeight(50, 40, 30), 12));
check("billableWeight(9, 12)", () => same(all.billableWeight(9, 12), 12));
check("shippingFee(50, 4)", () => same(all.shippingFee(50, 4), 0));
check("deliveryDays(950)", () => same(all.deliveryDays(950), 4));
check("insuranceFee(120)", () => same(all.insuranceFee(120), 2));
check("shippingFee(50, 4)", () => same(all.shippingFee(50, 4), 0));
check("shippingFee(49, 4)", () => same(all.shippingFee(49, 4), 4));
check("shippingFee(51, 4)", () => same(all.shippingFee(51, 4), 0));
check("shippingFee(100, 4)", () => same(all.shippingFee(100, 4), 0));
check("shippingFee(25, 4)", () => same(all.shippingFee(25, 4), 4));
check("shippingFee(50, 3)", () => same(all.shippingFee(50, 3), 0));
check("shippingFee(50, 5)", () => same(all.shippingFee(50, 5), 0));
check("shippingFee(50, 8)", () => same(all.shippingFee(50, 8), 0));
check("shippingFee(50, 2)", () => same(all.shippingFee(50, 2), 0));

console.log(failures === 0 ? "all tests passed" : failures + " failed");
if (failures > 0) process.exitCode = 1;
