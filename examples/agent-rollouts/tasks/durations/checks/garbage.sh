#!/bin/sh
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { parseDuration } from "./src/duration.js";
for (const text of ["soon", "10", "5d", "-5s", "1h "])
  assert.throws(() => parseDuration(text), (error) => error.message.includes(text), text);
assert.throws(() => parseDuration(""));
JS
