#!/bin/sh
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { parseDuration } from "./src/duration.js";
const cases = { "2h": 7_200_000, "3m": 180_000, "90s": 90_000, "250ms": 250, "1.5h": 5_400_000, "0.5s": 500 };
for (const [text, ms] of Object.entries(cases)) assert.equal(parseDuration(text), ms, text);
JS
