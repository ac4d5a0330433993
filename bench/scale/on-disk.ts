// Prints what the journal and the memory of finished runs cost: bytes and microseconds a record.
// `node on-disk.js FOLDER LINES`, once it is bundled.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, mkdirSync, statSync } from "node:fs";
import type { RunRecord } from "../../src/core/run.ts";
import { Journal } from "../../src/engine/journal.ts";
import { History } from "../../src/engine/pending.ts";

const [dir = ".", count = "1000000"] = process.argv.slice(2);
const LINES = Number(count);
const BATCHES = [1, 10, 100];
const APPENDED = 100_000;
const WHOLE = { goodBytes: 0, needsNewline: false };
const nothingToHide = { toJson: (value: unknown) => JSON.stringify(value) } as ConstructorParameters<
  typeof Journal
>[2];

mkdirSync(dir, { recursive: true });
const append = Object.fromEntries(BATCHES.map((batch) => [batch, appendUs(batch)]));
const path = `${dir}/large.jsonl`;
await writeLines(path);
const before = memoryBytes();
const start = performance.now();
const history = new History(path, ["rate", "depth"]);
const resumeUs = ((performance.now() - start) * 1000) / LINES;
const historyBytes = (memoryBytes() - before) / history.size;
console.log(
  JSON.stringify({ append, lines: LINES, recordBytes: statSync(path).size / LINES, resumeUs, historyBytes }),
);

function appendUs(batch: number): number {
  const journal = new Journal(`${dir}/append-${batch}.jsonl`, WHOLE, nothingToHide);
  const records = Array.from({ length: batch }, (_, i) => recordAt(i));
  const start = performance.now();
  for (let i = 0; i < APPENDED; i += batch) journal.append(records);
  const us = ((performance.now() - start) * 1000) / APPENDED;
  journal.close();
  return us;
}

async function writeLines(path: string): Promise<void> {
  const file = createWriteStream(path, { highWaterMark: 1 << 20 });
  for (let i = 0; i < LINES; i += 1000) {
    let text = "";
    for (let k = i; k < i + 1000; k++) text += `${JSON.stringify(recordAt(k))}\n`;
    if (!file.write(text)) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
}

/** A run of a study with two axes and two metrics. */
function recordAt(i: number): RunRecord {
  const hash = createHash("sha256").update(String(i)).digest("hex").slice(0, 12);
  return {
    id: `rate${i % 10}__depth${i % 7}__seed${i}__baseline__${hash}`,
    params: { rate: i % 10, depth: i % 7 },
    variant: "baseline",
    flags: [],
    seed: i,
    task: null,
    repeat: 0,
    program: "sleeper@0123456789abcdef",
    attempt: 1,
    outcome: { status: "ok" },
    metrics: { score: i / 7, loss: 1 / (i + 1) },
    startedAtMs: 1_794_776_579_664 + i,
    wallMs: 280.124369,
  };
}

function memoryBytes(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
