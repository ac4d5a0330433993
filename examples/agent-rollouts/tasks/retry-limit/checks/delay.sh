#!/bin/sh
node --input-type=module - <<'JS'
import { report } from "./.assay/proof.mjs";
import { retry } from "./src/retry.js";
const slept = [];
const task = async () => {
  throw new Error("no");
};
const sleep = async (ms) => void slept.push(ms);
await retry(task, { attempts: 4, delayMs: 10, sleep }).catch(() => {});
report({ slept });
JS
