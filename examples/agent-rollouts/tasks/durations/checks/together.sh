#!/bin/sh
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { parseDuration } from "./src/duration.js";
const cases = { "1h30m": 5_400_000, "2m5s": 125_000, "1h1s": 3_601_000, "1h2m3s4ms": 3_723_004, "1m5ms": 60_005 };
for (const [text, ms] of Object.entries(cases)) assert.equal(parseDuration(text), ms, text);
JS
