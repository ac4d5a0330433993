// Counts the comparisons of a sort: from Node, in metrics.json, with the run's id as a fact beside the numbers.
import { appendFileSync, writeFileSync } from "node:fs";

const { ASSAY_SEED, ASSAY_RUN_ID, ASSAY_OUT_DIR, ASSAY_SERIES } = process.env;
for (const [step, size] of [10, 100, Number(process.argv[2])].entries()) {
  const numbers = Array.from({ length: size }, (_, i) => (i * 7919 * Number(ASSAY_SEED)) % size);
  let comparisons = 0;
  numbers.sort((a, b) => a - b + 0 * comparisons++);
  appendFileSync(ASSAY_SERIES, `${JSON.stringify({ step, size, comparisons })}\n`);
  writeFileSync(`${ASSAY_OUT_DIR}/metrics.json`, JSON.stringify({ comparisons, run: ASSAY_RUN_ID }));
}
