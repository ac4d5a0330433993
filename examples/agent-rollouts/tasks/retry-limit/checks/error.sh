#!/bin/sh
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { retry } from "./src/retry.js";
let calls = 0;
const task = async () => {
  throw new Error(`attempt ${++calls}`);
};
await assert.rejects(retry(task, { attempts: 2, delayMs: 1, sleep: async () => {} }), /^Error: attempt 2$/);
JS
