// Measures what one run, one message, one worker and one record cost, and writes measured.json beside this file:
// `node bench/scale/unit-costs.js`. Takes some minutes. docs/scale.md reads from it, and so do the defaults of the
// target fleet-sim.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { assay, cpuSeconds, median, root, scratch } from "../support/measure.js";
import { Fleet } from "./fleet.js";
import { nonNegativeFit } from "./least-squares.js";

const REPEATS = 3;
const IDLE_WORKERS = 8;
const IDLE_MS = 10_000;
const REGISTERED = 5000;
const LOOKS = 20;
/** Of those that at-load.ts sends. */
const COMMANDS_A_BEAT = 5;
/** Workers x jobs with studies of sleeping runs: few and many runs a message, few and many messages. */
const WORKLOADS = [
  {
    workers: 1,
    jobs: 1,
    studies: [
      { runs: 50, ms: 0 },
      { runs: 20_000, ms: 0 },
      { runs: 800, ms: 5 },
    ],
  },
  {
    workers: 2,
    jobs: 4,
    studies: [
      { runs: 60_000, ms: 0 },
      { runs: 3000, ms: 5 },
      { runs: 1500, ms: 20 },
    ],
  },
  {
    workers: 4,
    jobs: 8,
    studies: [
      { runs: 1500, ms: 100 },
      { runs: 4000, ms: 20 },
    ],
  },
];
const STEPS = { onDisk, reading, scans, idleFleet, busyFleet, atLoad, busyCoordinator, windowOfRuns };
const rows = [];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = fileURLToPath(new URL("measured.json", import.meta.url));
  if (existsSync(path)) rows.push(...JSON.parse(readFileSync(path, "utf8")).rows);
  const asked = process.argv.slice(2);
  for (const [name, step] of Object.entries(STEPS))
    if (asked.length === 0 || asked.includes(name)) await step();
  const machine = { cores: availableParallelism(), node: process.version };
  writeFileSync(path, `${JSON.stringify({ machine, rows }, null, 2)}\n`);
  process.exit(0);
}

function state(name, value, unit, how) {
  const row = { name, value: Number(value.toPrecision(3)), unit, how };
  const known = rows.findIndex((one) => one.name === name);
  if (known < 0) rows.push(row);
  else rows[known] = row;
  console.log(`${name}: ${value.toPrecision(3)} ${unit}  (${how})`);
}

async function onDisk() {
  const dir = scratch("scale-disk");
  const program = await bundle("on-disk.ts", dir);
  const ask = (lines) =>
    JSON.parse(
      execFileSync(process.execPath, ["--expose-gc", program, dir, String(lines)], { encoding: "utf8" }),
    );
  const answers = Array.from({ length: REPEATS }, () => ask(1_000_000));
  const least = (pick) => Math.min(...answers.map(pick));
  state(
    "journal_record",
    answers[0].recordBytes,
    "B",
    "a study with two axes and two metrics, 1,000,000 lines",
  );
  for (const batch of [1, 10, 100])
    state(
      `journal_append_${batch}`,
      least(({ append }) => append[batch]),
      "us/run",
      `Journal.append, ${batch} a batch, least of ${REPEATS}`,
    );
  state(
    "resume_read",
    least(({ resumeUs }) => resumeUs),
    "us/run",
    `History over 1,000,000 lines, least of ${REPEATS}`,
  );
  state(
    "history_memory",
    answers[0].historyBytes,
    "B/run",
    "heap and buffers of History after 1,000,000 lines",
  );
}

async function reading() {
  const dir = scratch("scale-read");
  const sizes = [20_000, 120_000];
  for (const runs of sizes) {
    const spec = { study: `n${runs}`, target: "noop", seeds: runs, artifacts: "none", outRoot: "out" };
    writeFileSync(join(dir, `n${runs}.json`), JSON.stringify(spec));
    execFileSync(process.execPath, [assay, "run", `n${runs}.json`, "--no-report", "-q"], { cwd: dir });
  }
  for (const words of [["collect"], ["report"]]) {
    const took = sizes.map((runs) =>
      Math.min(
        ...Array.from({ length: REPEATS }, () =>
          cpuSeconds(process.execPath, [assay, ...words, `n${runs}`, "--out-root", "out"], { cwd: dir }),
        ),
      ),
    );
    const us = ((took[1] - took[0]) * 1e6) / (sizes[1] - sizes[0]);
    state(words[0], us, "us/run", `processor time, ${sizes.join(" against ")} runs, least of ${REPEATS}`);
  }
}

async function idleFleet() {
  const fleet = await Fleet.start();
  const clientsBefore = Number(await fleet.info("clients", "connected_clients"));
  const starts = [];
  for (let i = 0; i < IDLE_WORKERS; i++) starts.push(await fleet.addWorker());
  state("worker_start", median(starts) / 1000, "s", `until it waits for runs, median of ${IDLE_WORKERS}`);
  // A first study opens the queue that they then wait at.
  await fleet.run({ runs: 50, ms: 5 });
  const clients = Number(await fleet.info("clients", "connected_clients")) - clientsBefore;
  state("connections", clients / IDLE_WORKERS, "a worker", "connected_clients of Redis");
  const before = {
    cpu: await fleet.redisCpuUs(),
    bytes: await fleet.traffic(),
    commands: await commands(fleet),
  };
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const perWorker = (after, start) => (after - start) / IDLE_WORKERS / (IDLE_MS / 1000);
  state(
    "beat_redis",
    perWorker(await fleet.redisCpuUs(), before.cpu),
    "us/s",
    "processor time of Redis for an idle worker",
  );
  state(
    "beat_bytes",
    perWorker(await fleet.traffic(), before.bytes),
    "B/s",
    "in and out of Redis, an idle worker",
  );
  state(
    "beat_commands",
    perWorker(await commands(fleet), before.commands),
    "1/s",
    "commands of Redis, an idle worker",
  );
  const rss = fleet.workers.map(({ pid }) =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]),
  );
  state("worker_memory", median(rss) * 1024, "B", "resident, idle, one job");
  const [record] = Object.values(await fleet.redis.hgetall("assay:fleet:workers"));
  state("registry_record", record.length, "B", "what a worker says of itself");
  const program = await bundle("registry.ts", fleet.dir);
  const look = async (looks) => {
    const cpu = await fleet.redisCpuUs();
    const words = [program, fleet.env.ASSAY_QUEUE, record, String(REGISTERED), String(looks)];
    const own = Number(execFileSync(process.execPath, words, { encoding: "utf8" }));
    return { coordinator: own, redis: (await fleet.redisCpuUs()) - cpu };
  };
  const [none, some] = [await look(0), await look(LOOKS)];
  const each = (what) => (some[what] - none[what]) / LOOKS / REGISTERED;
  const how = `processor time of one look at ${REGISTERED} workers, ${LOOKS} looks`;
  state("look_coordinator", each("coordinator"), "us a worker", how);
  state("look_redis", each("redis"), "us a worker", how);
  await fleet.close();
}

/** Redis keeps chunks under way in a list; whoever asks for the state of one goes through it. */
async function scans() {
  const fleet = await Fleet.start();
  const listed = 16_384;
  const ids = Array.from({ length: listed }, (_, i) => `0123456789abcdef-01234567-${i}`);
  for (let i = 0; i < listed; i += 1024) await fleet.redis.rpush("list", ...ids.slice(i, i + 1024));
  const cost = async (index) => {
    const before = await fleet.redisCpuUs();
    for (let i = 0; i < 1000; i++) await fleet.redis.lpos("list", ids[index]);
    return ((await fleet.redisCpuUs()) - before) / 1000;
  };
  const [near, far] = [await cost(0), await cost(listed - 1)];
  state(
    "scan_redis",
    (far - near) / listed,
    "us an entry",
    `LPOS of the last against the first of ${listed}`,
  );
  await fleet.close();
}

async function atLoad() {
  const fleet = await Fleet.start();
  await fleet.addWorker();
  await fleet.run({ runs: 50, ms: 5 });
  const [record] = Object.values(await fleet.redis.hgetall("assay:fleet:workers"));
  const program = await bundle("at-load.ts", fleet.dir);
  const found = Array.from({ length: REPEATS + 2 }, () =>
    JSON.parse(
      execFileSync(process.execPath, [program, fleet.env.ASSAY_QUEUE, record], { encoding: "utf8" }),
    ),
  );
  const middle = (pick) => median(found.map(pick));
  const how = `as many as there can be, median of ${found.length}`;
  state(
    "redis_job_busy",
    middle(({ messages }) => messages.redis),
    "us/message",
    `BullMQ jobs added, taken, finished, ${how}`,
  );
  state(
    "client_job_busy",
    middle(({ messages }) => messages.own),
    "us/message",
    `the process that signs, adds, takes and opens them, ${how}`,
  );
  const perCommand = middle(({ beats }) => beats.redis) / COMMANDS_A_BEAT;
  const perS = rows.find(({ name }) => name === "beat_commands").value;
  state(
    "beat_redis_busy",
    perCommand * perS,
    "us/s",
    `an idle worker's commands; a heartbeat's from 100 connections, ${how}`,
  );
  await fleet.close();
}

async function busyCoordinator() {
  const fleet = await Fleet.start();
  await fleet.addWorker();
  await fleet.runStudy({ target: "noop", seeds: 50 });
  const [record] = Object.values(await fleet.redis.hgetall("assay:fleet:workers"));
  await fleet.removeWorkers();
  const program = await bundle("answering.ts", fleet.dir);
  const words = [program, fleet.env.ASSAY_QUEUE, record];
  const answering = spawn(process.execPath, words, { env: fleet.env, stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve) => answering.stdout.once("data", resolve));
  const [least, most] = [2000, 12_000];
  const found = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const [small, large] = [
      await fleet.runStudy({ target: "noop", seeds: least }),
      await fleet.runStudy({ target: "noop", seeds: most }),
    ];
    const more = (key) => large[key] - small[key];
    // Each chunk is answered by a message.
    const sent = 2 * more("chunks");
    found.push({ us: more("coordinatorCpuUs"), redis: more("redisCpuUs"), sent, rate: large.runsPerS });
    console.log(JSON.stringify({ ...found.at(-1), runs: most - least }));
  }
  answering.kill("SIGKILL");
  await fleet.close();
  const run = rows.find(({ name }) => name === "coordinator_run")?.value ?? 0;
  const how = `${least} against ${most} runs, each alone, that are answered at once, least of ${REPEATS}`;
  const each = found.map(({ us, sent }) => (us - run * (most - least)) / sent);
  state("coordinator_message_busy", Math.min(...each), "us/message", how);
  state("redis_message_busy", Math.min(...found.map(({ redis, sent }) => redis / sent)), "us/message", how);
  state(
    "coordinator_rate",
    Math.max(...found.map(({ rate }) => rate)),
    "runs/s",
    how.replace("least", "most"),
  );
}

async function commands(fleet) {
  return Number(await fleet.info("stats", "total_commands_processed"));
}

async function busyFleet() {
  const seen = [];
  for (const { workers, jobs, studies } of WORKLOADS) {
    const fleet = await Fleet.start();
    for (let i = 0; i < workers; i++) await fleet.addWorker(jobs);
    await fleet.run({ runs: 200, ms: 5 });
    for (const study of studies)
      for (let repeat = 0; repeat < REPEATS; repeat++) {
        const found = { workers, jobs, ...(await fleet.run(study)) };
        seen.push(found);
        console.log(JSON.stringify(found));
      }
    await fleet.close();
  }
  const beat = rows.find(({ name }) => name === "beat_redis").value;
  const sent = (one) => one.chunks + one.messages;
  const fits = {
    coordinator: [seen.map((one) => [1, sent(one), one.runs]), seen.map((one) => one.coordinatorCpuUs)],
    redis: [
      seen.map((one) => [sent(one), one.runs]),
      seen.map((one) => one.redisCpuUs - one.workers * one.wallS * beat),
    ],
    worker: [seen.map((one) => [sent(one), one.runs]), seen.map((one) => one.workerCpuUs)],
    network: [seen.map((one) => [sent(one), one.runs]), seen.map((one) => one.networkBytes)],
  };
  for (const [name, [columns, y]] of Object.entries(fits)) {
    const fit = nonNegativeFit(columns, y);
    const [message, run] = fit.slice(-2);
    const errors = columns.map((row, i) =>
      Math.abs(row.reduce((sum, value, k) => sum + value * fit[k], 0) / y[i] - 1),
    );
    const how = `fitted to ${seen.length} studies, off by ${Math.round(100 * median(errors))} % in the median`;
    const unit = name === "network" ? "B" : "us";
    state(`${name}_message`, message, `${unit}/message`, `chunks and results alike; ${how}`);
    state(`${name}_run`, run, `${unit}/run`, how);
  }
}

/** A worker that is stopped says that it has room: the coordinator fills the queue, and nothing leaves it. */
async function windowOfRuns() {
  const outstanding = 16_384;
  const fill = async (jobs) => {
    const fleet = await Fleet.start();
    await fleet.addWorker(jobs);
    fleet.workers[0].kill("SIGSTOP");
    const before = Number(await fleet.info("memory", "used_memory"));
    const spec = {
      study: "window",
      target: "./sleeper.mjs",
      params: { ms: 0 },
      seeds: 20_000,
      artifacts: "none",
    };
    writeFileSync(join(fleet.dir, "window.json"), JSON.stringify(spec));
    const words = [assay, "run", "window.json", "--executor", "queue", "--no-report", "-q"];
    const coordinator = spawn(process.execPath, words, { cwd: fleet.dir, env: fleet.env, stdio: "ignore" });
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${coordinator.pid}/status`, "utf8"))[1];
    const redis = Number(await fleet.info("memory", "used_memory")) - before;
    coordinator.kill("SIGKILL");
    fleet.workers[0].kill("SIGKILL");
    fleet.workers = [];
    await fleet.close();
    return { redis, coordinator: Number(rss) * 1024 };
  };
  const [small, full] = [await fill(1), await fill(outstanding)];
  const each = (what) => (full[what] - small[what]) / outstanding;
  state("redis_memory", each("redis"), "B/run", `used_memory with ${outstanding} runs queued, each alone`);
  state(
    "coordinator_memory",
    each("coordinator"),
    "B/run",
    `resident, ${outstanding} runs under way against two`,
  );
  state("coordinator_base", small.coordinator, "B", "resident, two runs under way");
}

async function bundle(name, dir) {
  const outfile = join(dir, name.replace(/\.ts$/, ".mjs"));
  await build({
    absWorkingDir: root,
    entryPoints: [`bench/scale/${name}`],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["ioredis", "bullmq", "pg"],
    logLevel: "warning",
    define: { "import.meta.url": JSON.stringify(pathToFileURL(join(root, "package.json")).href) },
  });
  return outfile;
}
