#!/bin/sh
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { parseDuration } from "./src/duration.js";
for (const text of ["5s1m", "1m1m", "1ms1s"]) assert.throws(() => parseDuration(text), undefined, text);
JS
