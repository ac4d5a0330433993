// The live page while 1,000 runs end each second: how late a reader of the event stream hears of a run, and how
// long the page's requests take on 10,000 runs.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assay, median, row, scratch, seconds } from "../support/measure.js";
import { readEvents } from "./event-reader.js";

const RUNS = 10_000;
const PER_SECOND = 1000;
const ASKED = 3;

export default async function measure() {
  const dir = scratch("stream");
  // Records of the simulator have forty metrics each, as large ones do.
  const study = {
    study: "stream",
    target: "sched-sim",
    params: { pdfs: 2, iters: 1, subqueries: 2 },
    matrix: { workflows: [2, 3], policy: ["fifo_cheapest", "dag_cheapest", "dag_escalation", "full"] },
    seeds: RUNS / 8,
    artifacts: "none",
    executor: { jobs: 2 },
    analysis: { metric: "makespan_p95_ms", goal: "minimize", baseline: { policy: "fifo_cheapest" } },
  };
  writeFileSync(join(dir, "study.json"), JSON.stringify(study));
  seconds(process.execPath, [assay, "run", "study.json", "-q", "--no-report"], { cwd: dir });
  const journal = join(dir, "bench_runs/stream/journal.jsonl");
  const lines = join(dir, "lines.jsonl");
  renameSync(journal, lines);
  writeFileSync(journal, "");
  const server = spawn(process.execPath, [assay, "ui", "bench_runs", "--json"], {
    cwd: dir,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [first] = await once(server.stdout, "data");
    const { port, token } = JSON.parse(first);
    const ask = (path) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers: { Authorization: `Bearer ${token}` } });
    const heard = await follow(await ask("/api/events?study=stream"), { lines, journal });
    const slowest = await slowestRequest(ask, heard.ids[0]);
    return [
      row(`event stream, ${PER_SECOND} runs/s: latest row`, heard.worstLagMs / 1000, 1, {
        rival: "limit",
        most: 1,
      }),
      row("event stream: last row after the end", heard.tailMs / 1000, 1, { rival: "limit", most: 1 }),
      {
        name: "event stream: runs told",
        ours: String(heard.ids.length),
        rival: `written ${RUNS}`,
        ratio: (new Set(heard.ids).size / RUNS).toFixed(2),
        target: "= 1",
        ok: heard.ids.length === RUNS && new Set(heard.ids).size === RUNS,
      },
      {
        ...row(`live page, ${RUNS} runs: slowest request`, slowest.s, 1, { rival: "limit", most: 1 }),
        note: slowest.path,
      },
    ];
  } finally {
    server.kill("SIGINT");
  }
}

async function follow(response, { lines, journal }) {
  const ids = [];
  let worstLagMs = 0;
  let lastHeardMs = 0;
  const reading = readEvents(response, (name, data) => {
    if (name !== "rows") return true;
    lastHeardMs = Date.now();
    for (const { run, started } of data.rows) {
      ids.push(run);
      worstLagMs = Math.max(worstLagMs, lastHeardMs - started);
    }
    return ids.length < RUNS;
  });
  const writer = spawn(process.execPath, [
    join(import.meta.dirname, "writer.js"),
    lines,
    journal,
    String(PER_SECOND),
  ]);
  const [end] = await once(writer.stdout, "data");
  await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, 5000))]);
  return { ids, worstLagMs, tailMs: lastHeardMs - Number(end) };
}

/** Cold: nothing of this study has been computed; then again, with what was kept. */
async function slowestRequest(ask, run) {
  const paths = [
    "/api/studies",
    "/api/study?id=stream",
    "/api/runs?study=stream",
    `/api/run?study=stream&run=${encodeURIComponent(run)}`,
  ];
  const times = new Map(paths.map((path) => [path, []]));
  for (let i = 0; i < ASKED; i++) {
    for (const path of paths) {
      const start = performance.now();
      const response = await ask(path);
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      await response.arrayBuffer();
      times.get(path).push((performance.now() - start) / 1000);
    }
  }
  for (const [path, list] of times)
    process.stderr.write(
      `  ${path.slice(0, 40)}: first ${list[0].toFixed(3)} s, median ${median(list).toFixed(3)} s\n`,
    );
  const [path, list] = [...times].sort(([, a], [, b]) => Math.max(...b) - Math.max(...a))[0];
  return { path: path.split("&")[0], s: Math.max(...list) };
}
