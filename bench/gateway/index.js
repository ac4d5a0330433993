// What the gateway adds to calls of a model server on loopback, against the same calls without it, turn by turn in one run.
// Alone: npm run bench -- gateway
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { assay, median } from "../support/measure.js";

const CALLS = 1000;
const STREAMS = 200;
/** As long an answer, and as many tokens a second, as models give to agents. */
const EVENTS = 500;
const EVERY_MS = 20;
const ROUNDS = 3;
const MANY_CALLS = Number(process.env.BENCH_GATEWAY_CALLS ?? 100_000);
const LAST_MODEL = "gpt-4o-mini";
const TELLS_HEAP = fileURLToPath(new URL("tell-heap.cjs", import.meta.url));

export default async function measure() {
  const provider = await start([fileURLToPath(new URL("provider.js", import.meta.url))], {});
  const direct = provider.line;
  const env = { OPENAI_BASE_URL: direct, OPENAI_API_KEY: "sk-none" };
  const open = () => start(["--expose-gc", "--require", TELLS_HEAP, assay, "gateway", "--json"], env);
  const gateway = await open();
  const { url } = JSON.parse(gateway.line);
  const agent = new Agent({ keepAlive: true, maxSockets: STREAMS });
  try {
    return [
      await latency({ direct, url, agent }),
      await streams({ direct, open }),
      await processorTime({ url, agent, gateway: gateway.child.pid, provider: provider.child.pid }),
      await memory({ url, agent, gateway }),
    ];
  } finally {
    agent.destroy();
    for (const { child } of [gateway, provider]) child.kill("SIGTERM");
  }
}

/** One call after the other, each way in turn. */
async function latency({ direct, url, agent }) {
  const body = { model: LAST_MODEL, messages: [{ role: "user", content: "x".repeat(40_000) }] };
  const ms = { direct: [], through: [] };
  for (let i = 0; i < CALLS + 50; i++) {
    const a = await call(direct, body, agent);
    const b = await call(url, body, agent);
    // The first ones load what is loaded late.
    if (i >= 50) ms.direct.push(a) && ms.through.push(b);
  }
  const added = median(ms.through.map((through, i) => through - ms.direct[i]));
  return {
    name: "what the gateway adds to one call (40 kB)",
    ours: `${median(ms.through).toFixed(2)} ms`,
    rival: `without it ${median(ms.direct).toFixed(2)} ms`,
    ratio: `+${added.toFixed(2)} ms`,
    target: "< 2 ms",
    ok: added < 2,
    note: `the median of ${CALLS} pairs`,
  };
}

/** Many streams at once, as models send them; each round by a gateway and by connections that have served nobody before. */
async function streams({ direct, open }) {
  const body = { model: LAST_MODEL, stream: true, events: EVENTS, everyMs: EVERY_MS, messages: [] };
  const all = async (to) => {
    const agent = new Agent({ keepAlive: true, maxSockets: STREAMS });
    const start = performance.now();
    await Promise.all(Array.from({ length: STREAMS }, () => call(to, body, agent)));
    const ms = performance.now() - start;
    agent.destroy();
    return ms;
  };
  const ms = { direct: [], through: [] };
  for (let i = 0; i < ROUNDS; i++) {
    const { child, line } = await open();
    const ways = i % 2 === 0 ? ["direct", "through"] : ["through", "direct"];
    for (const way of ways) ms[way].push(await all(way === "direct" ? direct : JSON.parse(line).url));
    child.kill("SIGTERM");
  }
  const lost = 1 - median(ms.direct) / median(ms.through);
  return {
    name: `throughput of ${STREAMS} streams at once`,
    ours: `${Math.round((STREAMS * EVENTS) / (median(ms.through) / 1000))} events/s`,
    rival: `without it ${Math.round((STREAMS * EVENTS) / (median(ms.direct) / 1000))} events/s`,
    ratio: `${(100 * lost).toFixed(2)} % less`,
    target: "< 1 %",
    ok: lost < 0.01,
    note: `${EVENTS} events in each, one every ${EVERY_MS} ms; a new gateway and new connections for each of ${ROUNDS} rounds, the median; needs a free core`,
  };
}

/**
 * What the gateway's processor does for one event, against the server that sends it: passing one on is to read and to write
 * it, so twice is the least. Unlike throughput it hardly depends on what else the machine does.
 */
async function processorTime({ url, agent, gateway, provider }) {
  const streams = 50;
  const events = 400;
  const body = { model: LAST_MODEL, stream: true, events, everyMs: 5, messages: [] };
  const all = () => Promise.all(Array.from({ length: streams }, () => call(url, body, agent)));
  await all();
  const before = [gateway, provider].map(processorMs);
  await all();
  const [ours, theirs] = [gateway, provider].map(
    (pid, i) => (1000 * (processorMs(pid) - before[i])) / (streams * events),
  );
  return {
    name: "processor time of one streamed event",
    ours: `${ours.toFixed(0)} us`,
    rival: `the server that sends it ${theirs.toFixed(0)} us`,
    ratio: (ours / theirs).toFixed(2),
    target: "<= 2.5",
    ok: ours <= 2.5 * theirs,
    note: `${streams} streams; 4,000 events a second take ${(ours * 0.4).toFixed(0)} % of a core`,
  };
}

/** User and system time so far, by the kernel's clock of 100 ticks a second. */
function processorMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

/** What is still held after many calls against what is after a tenth of them: memory that nobody freed yet is no leak. */
async function memory({ url, agent, gateway }) {
  const body = { model: LAST_MODEL, messages: [{ role: "user", content: "x".repeat(1000) }] };
  const some = async (count) => {
    let left = count;
    const worker = async () => {
      while (left-- > 0) await call(url, body, agent);
    };
    await Promise.all(Array.from({ length: 16 }, worker));
    return { heap: await heldMegabytes(gateway.child), resident: residentMegabytes(gateway.child.pid) };
  };
  const early = await some(MANY_CALLS / 10);
  const late = await some(MANY_CALLS);
  return {
    name: `memory after ${MANY_CALLS} more calls`,
    ours: `${late.heap.toFixed(1)} MB held`,
    rival: `after ${MANY_CALLS / 10} ${early.heap.toFixed(1)} MB`,
    ratio: (late.heap / early.heap).toFixed(2),
    target: "<= 1.05",
    ok: late.heap <= 1.05 * early.heap,
    note: `the heap of \`assay gateway\` after a collection; resident ${early.resident.toFixed(0)} and ${late.resident.toFixed(0)} MB`,
  };
}

/** Asks a process that has loaded tell-heap.cjs. */
function heldMegabytes(child) {
  return new Promise((resolve) => {
    child.once("message", ({ heldBytes }) => resolve(heldBytes / 1e6));
    child.send("heap");
  });
}

function residentMegabytes(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(kilobytes) / 1000;
}

/** Milliseconds until the last byte. */
function call(base, body, agent) {
  const start = performance.now();
  const text = JSON.stringify(body);
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const sent = request(`${base}/v1/chat/completions`, { method: "POST", agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
      response.resume();
      response.on("end", () => resolve(performance.now() - start));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(text);
  });
}

/** A server in a process of its own, with its first line. */
function start(words, env) {
  const child = spawn(process.execPath, words, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  return new Promise((resolve, reject) => {
    let text = "";
    child.on("exit", () => reject(new Error(`${words.join(" ")} ended before it served`)));
    child.stdout.setEncoding("utf8").on("data", (part) => {
      if (text.includes("\n")) return;
      text += part;
      if (text.includes("\n")) resolve({ child, line: text.split("\n", 1)[0] });
    });
  });
}
