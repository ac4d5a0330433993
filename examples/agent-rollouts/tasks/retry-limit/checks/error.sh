#!/bin/sh
node --input-type=module - <<'JS'
import { report } from "./.assay/proof.mjs";
import { retry } from "./src/retry.js";
let calls = 0;
const task = async () => {
  throw new Error(`attempt ${++calls}`);
};
const options = { attempts: 2, delayMs: 1, sleep: async () => {} };
report(await retry(task, options).then(() => ({ error: null }), (error) => ({ error: String(error) })));
JS
