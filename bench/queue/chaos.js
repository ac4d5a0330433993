// Short runs over several workers while workers are killed every second, the coordinator twice and Redis once:
// `node bench/queue/chaos.js [runs] [workers]`. Says whether every run has one record and all of its files.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assay } from "../support/measure.js";
import { freePort, spawnRedis } from "../support/redis.js";

const RUNS = Number(process.argv[2] ?? 10_000);
const WORKERS = Number(process.argv[3] ?? 8);
const KILL_MS = 1000;
const LEASE_S = 4;
const PATIENCE_MS = 20 * 60_000;

const dir = mkdtempSync(join(tmpdir(), "assay-chaos-"));
const port = await freePort();
const queue = `redis://127.0.0.1:${port}`;
const env = { ...process.env, ASSAY_FLEET_KEY: "chaos-".repeat(4), ASSAY_SCRATCH: dir, ASSAY_QUEUE: queue };
const children = new Set();
const endAll = () => {
  for (const child of children) child.kill("SIGKILL");
  process.exit(1);
};
process.on("SIGTERM", endAll);
let isOver = false;

writeFileSync(
  join(dir, "target.mjs"),
  `import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { z } from ${JSON.stringify(import.meta.resolve("zod"))};
export default {
  name: "short",
  params: z.object({}),
  async run({ seed, outDir }) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    writeFileSync(outDir + "/digest.txt", createHash("sha256").update(String(seed)).digest("hex"));
    return { twice: seed * 2 };
  },
};
`,
);
writeFileSync(
  join(dir, "study.json"),
  JSON.stringify({ study: "chaos", target: "./target.mjs", seeds: RUNS, artifacts: "all", outRoot: "out" }),
);

const start = performance.now();
let redis = startRedis();
await new Promise((resolve) => setTimeout(resolve, 500));
const workers = Array.from({ length: WORKERS }, startWorker);
let coordinator = startCoordinator();
const deeds = { workers: 0, coordinator: 0, redis: 0 };

const killer = setInterval(() => {
  const victim = Math.floor(Math.random() * WORKERS);
  workers[victim].kill("SIGKILL");
  workers[victim] = startWorker();
  deeds.workers++;
}, KILL_MS);

// The coordinator dies at a fifth and at two fifths of the way, Redis at a half.
const watcher = setInterval(() => {
  const share = recorded().length / RUNS;
  if (deeds.coordinator < 2 && share > 0.2 * (deeds.coordinator + 1)) {
    deeds.coordinator++;
    coordinator.kill("SIGKILL");
    coordinator = startCoordinator();
  }
  if (deeds.redis === 0 && share > 0.5) {
    deeds.redis++;
    redis.kill("SIGKILL");
    redis.once("exit", () => {
      redis = startRedis();
    });
  }
}, 200);

const code = await new Promise((resolve) => {
  const late = setTimeout(() => resolve("too late"), PATIENCE_MS);
  const look = setInterval(() => {
    if (coordinator.exitCode === null && coordinator.signalCode === null) return;
    clearTimeout(late);
    clearInterval(look);
    resolve(coordinator.exitCode ?? coordinator.signalCode);
  }, 100);
});
isOver = true;
process.off("SIGTERM", endAll);
clearInterval(killer);
clearInterval(watcher);
const seconds = (performance.now() - start) / 1000;
for (const child of children) child.kill("SIGKILL");

const records = recorded();
const ids = new Set(records.map(({ id }) => id));
const broken = records.filter(({ id, seed, metrics, outcome }) => {
  const folder = join(dir, "out/chaos/runs", id);
  const digest = createHash("sha256").update(String(seed)).digest("hex");
  const isWhole =
    existsSync(join(folder, "out/digest.txt")) &&
    readFileSync(join(folder, "out/digest.txt"), "utf8") === digest &&
    JSON.parse(readFileSync(join(folder, "meta.json"), "utf8")).status === "ok";
  return outcome.status !== "ok" || metrics.twice !== seed * 2 || !isWhole;
});
const late = existsSync(join(dir, "out/chaos/late.jsonl"))
  ? readFileSync(join(dir, "out/chaos/late.jsonl"), "utf8").trim().split("\n").length
  : 0;
const isGood = code === 0 && records.length === RUNS && ids.size === RUNS && broken.length === 0;
console.log(
  JSON.stringify({
    runs: RUNS,
    workers: WORKERS,
    records: records.length,
    distinct: ids.size,
    broken: broken.length,
    late,
    killed: deeds,
    seconds: Number(seconds.toFixed(1)),
    exitCode: code,
    good: isGood,
  }),
);
if (isGood) rmSync(dir, { recursive: true, force: true });
else console.log(`left for inspection: ${dir}`, broken.slice(0, 2));
process.exit(isGood ? 0 : 1);

function recorded() {
  const path = join(dir, "out/chaos/journal.jsonl");
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  lines.pop();
  return isOver ? lines.map((line) => JSON.parse(line)) : lines;
}

function startWorker() {
  return start_([assay, "worker", "--jobs", "1", "--lease", String(LEASE_S)], "worker.log");
}

function startCoordinator() {
  return start_([assay, "run", "study.json", "--executor", "queue", "--no-report", "-q"], "run.log");
}

function start_(words, log) {
  const child = spawn("sh", ["-c", 'exec "$@" >>"$0" 2>&1', log, process.execPath, ...words], {
    cwd: dir,
    env,
  });
  children.add(child);
  child.once("exit", () => children.delete(child));
  child.once("error", (error) => console.error(error.message));
  return child;
}

function startRedis() {
  const data = join(dir, "redis");
  mkdirSync(data, { recursive: true });
  const child = spawnRedis({ port, dir: data, keeps: true });
  children.add(child);
  return child;
}
