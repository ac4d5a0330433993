// A real fleet on this machine: a Redis, workers and a coordinator, each a process of its own.
import { execFile, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Redis } from "ioredis";
import { assay, scratch } from "../support/measure.js";
import { freePort, spawnRedis } from "../support/redis.js";

const TICKS_PER_S = 100;
const LOOK_MS = 20;

/** Runs that sleep: a worker's core stays free, so that many workers fit on one machine. */
const SLEEPER = `import { z } from ${JSON.stringify(import.meta.resolve("zod"))};
export default {
  name: "sleeper",
  params: z.object({ ms: z.number() }),
  async run({ params, seed }) {
    if (params.ms > 0) await new Promise((resolve) => setTimeout(resolve, params.ms));
    return { value: seed };
  },
};
`;

/** Puts the target beside a study that names it `./sleeper.mjs`. */
export function writeSleeper(dir) {
  writeFileSync(join(dir, "sleeper.mjs"), SLEEPER);
}

export class Fleet {
  static async start() {
    const dir = scratch("scale");
    const port = await freePort();
    const server = spawnRedis({ port, dir });
    const fleet = new Fleet(dir, server, port);
    process.setMaxListeners(0);
    process.on("exit", () => fleet.#kill());
    await fleet.redis.ping();
    return fleet;
  }

  constructor(dir, server, port) {
    this.dir = dir;
    this.server = server;
    this.redis = new Redis(`redis://127.0.0.1:${port}`, {
      maxRetriesPerRequest: null,
      retryStrategy: () => 50,
    });
    this.redis.on("error", () => {});
    this.env = {
      ...process.env,
      ASSAY_QUEUE: `redis://127.0.0.1:${port}`,
      ASSAY_FLEET_KEY: "a key for measuring only",
      ASSAY_SCRATCH: dir,
    };
    this.workers = [];
    this.studies = 0;
    writeSleeper(dir);
  }

  /** Starts a worker; gives the milliseconds until it waits for runs. */
  addWorker(jobs = 1) {
    const start = performance.now();
    const child = spawn(process.execPath, [assay, "worker", "--jobs", String(jobs)], {
      cwd: this.dir,
      env: this.env,
    });
    this.workers.push(child);
    return new Promise((resolve, reject) => {
      child.stderr.on("data", (text) => {
        if (text.includes("waits for runs")) resolve(performance.now() - start);
      });
      child.once("exit", (code) => reject(new Error(`a worker ended with ${code}`)));
    });
  }

  async removeWorkers() {
    const gone = this.workers.map((child) => new Promise((resolve) => child.once("exit", resolve)));
    for (const child of this.workers) child.kill("SIGTERM");
    this.workers = [];
    await Promise.all(gone);
  }

  /** One study of sleeping runs: what it took, and what of it each process paid. */
  async run({ runs, ms }) {
    return this.runStudy({ target: "./sleeper.mjs", params: { ms }, seeds: runs });
  }

  async runStudy(asked) {
    const study = `s${this.studies++}`;
    const spec = { study, ...asked, artifacts: "none", outRoot: "out" };
    const runs = asked.seeds;
    writeFileSync(join(this.dir, `${study}.json`), JSON.stringify(spec));
    const before = {
      redis: await this.redisCpuUs(),
      workers: this.#workerCpuUs(),
      bytes: await this.traffic(),
      chunks: await this.#chunks(),
    };
    const start = performance.now();
    const words = [assay, "run", `${study}.json`, "--executor", "queue", "--no-report", "-q"];
    const folder = join(this.dir, "out", study);
    const messages = this.#watchMessages(folder);
    const { cpuUs, rssBytes } = await usage(words, { cwd: this.dir, env: this.env });
    const journal = readFileSync(join(folder, "journal.jsonl"), "utf8");
    const after = await this.traffic();
    return {
      runs,
      ms: asked.params?.ms,
      wallS: (performance.now() - start) / 1000,
      chunks: (await this.#chunks()) - before.chunks,
      messages: messages(),
      journalBytes: Buffer.byteLength(journal) / runs,
      coordinatorCpuUs: cpuUs,
      coordinatorBytes: rssBytes,
      redisCpuUs: (await this.redisCpuUs()) - before.redis,
      workerCpuUs: this.#workerCpuUs() - before.workers,
      redisPeakBytes: Number(await this.info("memory", "used_memory_peak")),
      networkBytes: after - before.bytes,
      ...rateOf(journal),
    };
  }

  /** A study takes its queue of results with it, so the count is looked at until then. */
  #watchMessages(folder) {
    let count = 0;
    const timer = setInterval(async () => {
      const path = join(folder, "queue.json");
      const id = existsSync(path) && /[0-9a-f]{16}/.exec(readFileSync(path, "utf8"))?.[0];
      if (!id) return;
      count = Math.max(count, Number(await this.redis.get(`assay:results-${id}:id`)));
    }, LOOK_MS);
    return () => {
      clearInterval(timer);
      return count;
    };
  }

  async info(section, name) {
    return new RegExp(`^${name}:(.*)\\r$`, "m").exec(await this.redis.info(section))?.[1];
  }

  async redisCpuUs() {
    return (
      1e6 * (Number(await this.info("cpu", "used_cpu_user")) + Number(await this.info("cpu", "used_cpu_sys")))
    );
  }

  async traffic() {
    const text = await this.redis.info("stats");
    return ["total_net_input_bytes", "total_net_output_bytes"]
      .map((name) => Number(new RegExp(`${name}:(\\d+)`).exec(text)[1]))
      .reduce((a, b) => a + b);
  }

  /** Of all queues of chunks: BullMQ counts each that was ever added. */
  async #chunks() {
    let sum = 0;
    for (const key of await this.redis.keys("assay:*:id"))
      if (!key.startsWith("assay:results-")) sum += Number(await this.redis.get(key));
    return sum;
  }

  async close() {
    await this.removeWorkers();
    this.redis.disconnect();
    this.#kill();
  }

  #workerCpuUs() {
    return this.workers.reduce((sum, { pid }) => sum + cpuUsOf(pid), 0);
  }

  #kill() {
    for (const child of [...this.workers, this.server]) child.kill("SIGKILL");
  }
}

/** Runs a second while the study was in full swing: between a fifth and four fifths of its ends. */
function rateOf(journal) {
  const lines = journal
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const ends = lines.map(({ startedAtMs, wallMs }) => startedAtMs + wallMs).sort((a, b) => a - b);
  const [first, last] = [Math.floor(ends.length / 5), Math.floor((4 * ends.length) / 5)];
  const walls = lines.map(({ wallMs }) => wallMs).sort((a, b) => a - b);
  return {
    runsPerS: ((last - first) * 1000) / (ends[last] - ends[first]),
    wallMs: walls[walls.length >> 1],
  };
}

function cpuUsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_S) * 1e6;
}

/** Time of the processor and peak memory of one process of Node. */
async function usage(words, options) {
  const script = `import json,resource,subprocess,sys
code=subprocess.run(sys.argv[1:],stdout=subprocess.DEVNULL).returncode
r=resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({"cpuUs":(r.ru_utime+r.ru_stime)*1e6,"rssBytes":r.ru_maxrss*1024}))
sys.exit(code)`;
  const { stdout } = await promisify(execFile)(
    "python3",
    ["-c", script, process.execPath, ...words],
    options,
  );
  return JSON.parse(stdout);
}
