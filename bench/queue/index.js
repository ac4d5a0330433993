// The executor `queue` on a real Redis: against plain BullMQ with jobs of the same size, against the local executor,
// over 1 to 8 workers, and the coordinator's memory with a million runs.
import { execFileSync, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assay, has, median, missing, row, scratch, seconds } from "../support/measure.js";
import { freePort, spawnRedis } from "../support/redis.js";

const RUNS = 40_000;
const REPEATS = 3;
const MANY = 1_000_000;
const SLEEP_MS = 250;
const SLEEPS_A_WORKER = 60;

export default async function measure() {
  if (!has("redis-server")) return [missing("queue", "redis-server is not installed")];
  const dir = scratch("queue");
  const fleet = await Fleet.start(dir);
  try {
    return [...(await compare(fleet)), ...(await scale(fleet)), await remember(fleet)];
  } finally {
    fleet.end();
  }
}

/** Time from the start of the command to its end, against plain BullMQ from the first job that is added. */
async function compare(fleet) {
  const plain = fileURLToPath(new URL("plain.js", import.meta.url));
  await fleet.workers(2);
  fleet.write("noop.json", { study: "noop", target: "noop", seeds: RUNS, artifacts: "none" });
  const times = { ours: [], plain: [], local: [] };
  for (let i = 0; i < REPEATS; i++) {
    times.ours.push(fleet.run("noop.json", `ours-${i}`));
    times.local.push(fleet.run("noop.json", `local-${i}`, ["--executor", "thread", "--jobs", "2"]));
    times.plain.push(
      Number(execFileSync(process.execPath, [plain, String(fleet.port), String(RUNS)], { encoding: "utf8" })),
    );
  }
  const [ours, plainS, local] = [times.ours, times.plain, times.local].map(median);
  const perRun = ((ours - local) / RUNS) * 1e6;
  return [
    row(`queue ${RUNS} no-op runs`, ours, plainS, { rival: "plain BullMQ", most: 1.5 }),
    {
      ...row(`queue ${RUNS} no-op runs`, ours, local, { rival: "executor thread", most: 100 }),
      target: "-",
      ok: null,
      note: `${perRun.toFixed(0)} µs more a run`,
    },
  ];
}

/** Sleeping runs: what a worker more adds. */
async function scale(fleet) {
  fleet.writeText(
    "sleep.mjs",
    `import { z } from "assay/plugin";
export default { name: "sleep", params: z.object({}), run: () => new Promise((resolve) => setTimeout(resolve, ${SLEEP_MS}, {})) };
`,
  );
  const rows = [];
  for (const count of [1, 2, 4, 8]) {
    await fleet.workers(count);
    fleet.write("warm.json", { study: "warm", target: "./sleep.mjs", seeds: count * 2, artifacts: "none" });
    fleet.run("warm.json", `warm-${count}`);
    const runs = count * SLEEPS_A_WORKER;
    fleet.write("sleep.json", { study: "sleep", target: "./sleep.mjs", seeds: runs, artifacts: "none" });
    const { wallMs } = fleet.runJson("sleep.json", `sleep-${count}`);
    const ideal = SLEEPS_A_WORKER * SLEEP_MS;
    rows.push({
      name: `queue ${runs} runs of ${SLEEP_MS} ms, ${count} worker${count > 1 ? "s" : ""}`,
      ours: `${(wallMs / 1000).toPrecision(3)} s`,
      rival: `asleep all the time ${ideal / 1000} s`,
      ratio: (wallMs / ideal).toFixed(2),
      target: "-",
      ok: null,
      note: `efficiency ${((100 * ideal) / wallMs).toFixed(0)} %`,
    });
  }
  return rows;
}

/** The coordinator's memory over the way through a million runs. */
async function remember(fleet) {
  await fleet.workers(2);
  fleet.write("many.json", { study: "many", target: "noop", seeds: MANY, artifacts: "none" });
  const child = fleet.start(["run", "many.json", "--executor", "queue", "-q", "--no-report"]);
  const samples = [];
  const timer = setInterval(() => samples.push(rssMb(child.pid)), 500);
  const start = performance.now();
  await new Promise((resolve) => child.once("exit", resolve));
  clearInterval(timer);
  const seen = samples.filter(Number.isFinite);
  const early = Math.max(...seen.slice(0, Math.ceil(seen.length / 4)));
  const late = Math.max(...seen.slice(-Math.ceil(seen.length / 4)));
  return {
    ...row(`queue ${MANY} runs: coordinator's memory, last quarter over first`, late, early, {
      rival: "first quarter",
      most: 1.25,
      unit: "MB",
    }),
    note: `${Math.round(MANY / ((performance.now() - start) / 1000))} runs a second`,
  };
}

function rssMb(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** A Redis and workers of our own. */
class Fleet {
  #children = new Set();
  #workers = [];

  static async start(dir) {
    const fleet = new Fleet();
    fleet.dir = dir;
    fleet.port = await freePort();
    fleet.#children.add(spawnRedis({ port: fleet.port, dir }));
    fleet.env = {
      ...process.env,
      ASSAY_QUEUE: `redis://127.0.0.1:${fleet.port}`,
      ASSAY_FLEET_KEY: "the key of a benchmark",
      ASSAY_SCRATCH: dir,
    };
    return fleet;
  }

  write(name, study) {
    this.writeText(name, JSON.stringify(study));
  }

  writeText(name, text) {
    writeFileSync(join(this.dir, name), text);
  }

  /** Exactly so many workers, each with one run at a time, ready to take. */
  async workers(count) {
    while (this.#workers.length > count) this.#workers.pop().kill("SIGKILL");
    while (this.#workers.length < count) {
      const worker = this.start(["worker", "--jobs", "1", "--lease", "5"], ["ignore", "ignore", "pipe"]);
      this.#workers.push(worker);
      await new Promise((resolve) =>
        worker.stderr.on("data", (text) => String(text).includes("waits") && resolve()),
      );
    }
    // Those that were killed are no longer counted on.
    await new Promise((resolve) => setTimeout(resolve, 16_000 * Number(this.wasMore > count)));
    this.wasMore = count;
  }

  start(words, stdio = "ignore") {
    const child = spawn(process.execPath, [assay, ...words], { cwd: this.dir, env: this.env, stdio });
    this.#children.add(child);
    return child;
  }

  run(file, outRoot, words = ["--executor", "queue"]) {
    const all = [assay, "run", file, "-q", "--no-report", "--out-root", outRoot, ...words];
    return seconds(process.execPath, all, { cwd: this.dir, env: this.env });
  }

  runJson(file, outRoot) {
    const all = [assay, "run", file, "--json", "--no-report", "--out-root", outRoot, "--executor", "queue"];
    return JSON.parse(
      execFileSync(process.execPath, all, {
        cwd: this.dir,
        env: this.env,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }),
    );
  }

  end() {
    for (const child of this.#children) child.kill("SIGKILL");
  }
}
