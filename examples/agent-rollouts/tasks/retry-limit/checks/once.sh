#!/bin/sh
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { retry } from "./src/retry.js";
let calls = 0;
const task = async () => {
  if (++calls < 2) throw new Error("not yet");
  return "done";
};
assert.equal(await retry(task, { attempts: 5, delayMs: 1, sleep: async () => {} }), "done");
assert.equal(calls, 2);
JS
