// Our side of the bootstrap benchmark, in a process of its own: node ours.js BUNDLE DATA REPEATS
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [bundle, data, repeats] = process.argv.slice(2);
const { bootstrapPairedInterval } = await import(pathToFileURL(bundle).href);
const sets = JSON.parse(readFileSync(data, "utf8"));
for (const n of [15, 100, 1000]) {
  const { treatment, control } = sets[`pairs${n}`];
  // V8 compiles here, as C did beforehand.
  for (let i = 0; i < 5; i++) bootstrapPairedInterval(treatment, control, { resamples: 10_000 });
  for (const resamples of [10_000, 100_000]) {
    for (let repeat = 0; repeat < Number(repeats); repeat++) {
      const start = performance.now();
      const interval = bootstrapPairedInterval(treatment, control, { resamples, seed: repeat });
      const seconds = (performance.now() - start) / 1000;
      if (!interval.known) throw new Error(interval.why);
      const { maxRSS } = process.resourceUsage();
      console.log(`assay BCa n=${n} B=${resamples}\t${repeat}\t${seconds.toFixed(6)}\t0\t0\t${maxRSS}`);
    }
  }
}
