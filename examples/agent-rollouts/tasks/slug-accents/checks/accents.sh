#!/bin/sh
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { slug } from "./src/slug.js";
assert.equal(slug("Crème Brûlée"), "creme-brulee");
assert.equal(slug("El Niño en Ávila"), "el-nino-en-avila");
assert.equal(slug("cafe\u0301 noir"), "cafe-noir");
JS
