#!/bin/sh
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { retry } from "./src/retry.js";
let calls = 0;
const task = async () => {
  calls++;
  throw new Error("no");
};
await retry(task, { attempts: 3, delayMs: 1, sleep: async () => {} }).catch(() => {});
assert.equal(calls, 3);
JS
