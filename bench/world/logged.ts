import { memoryDb } from "../../packages/sims/src/farm/memory-db.ts";

/** Disk and memory-then-persist in turns, as the target does it; prints disk over persisted of each iteration. */
const params = memoryDb.params.parse(JSON.parse(process.argv[2] ?? "{}"));
const iterations = Number(process.argv[3] ?? 10);
const ctx = {
  params,
  seed: 42,
  task: null,
  repeat: 0,
  iteration: 0,
  baseDir: ".",
  outDir: process.argv[4] ?? null,
  signal: new AbortController().signal,
  series: () => {},
  warn: () => {},
};
const state = await memoryDb.setup!(ctx);
const speedups: number[] = [];
for (let iteration = -2; iteration < iterations; iteration++) {
  const { speedup } = (await memoryDb.run({ ...ctx, iteration }, state)) as { speedup: number };
  if (iteration >= 0) speedups.push(speedup);
}
await memoryDb.teardown!(ctx, state);
console.log(JSON.stringify({ speedups }));
