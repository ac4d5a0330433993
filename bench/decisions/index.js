// Deciding as runs come in, on real outcomes: all pairs of 67 agents on 500 tasks, replayed task by task in random order,
// without and with the other agents' outcomes as history; and what one decision costs.
// `node bench/decisions/index.js [OUTCOMES.csv | simulated] [--half first|second] [--margin 0.03] [--power 0.9] [--assume nothing] [--orders 50]` prints the whole
// table for any outcomes of agents on tasks: a matrix, or one line each with experiment, instance_id and outcome.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { missing, root, row, scratch } from "../support/measure.js";

const MATRIX = join(root, "../shared/data/outcomes/swebench-verified-67-agents.csv");
const ALPHA = 0.05;
/**
 * Bands of true difference in points, up to but not including the end; how many tasks are wanted without and with history,
 * and how many the code is known to take without. The replay has fixed seeds, so more than that is a regression.
 */
const BANDS = [
  { name: "0", from: 0, to: 0 },
  { name: "0-3", from: 0, to: 3 },
  { name: "3-6", from: 3, to: 6, most: [230, 170], reached: 271 },
  { name: "6-10", from: 6, to: 10, most: [150, 110], reached: 150 },
  { name: "10-20", from: 10, to: 20, most: [70, 50], reached: 77 },
  { name: "20+", from: 20, to: 101, most: [28, 22], reached: 28 },
];
const WHY =
  'docs/statistics.md, "How soon a study can decide", says which of these no rule reaches, and what is not known';
const MOST_SECONDS = 60;
const MOST_MICROSECONDS = 50;
const DECISIONS = 100_000;
const GROUPS = 12;
/** Points of true difference. */
const CLOSE = 3;

export default async function measure() {
  const code = await load();
  const rows = [oneDecision(code)];
  if (!existsSync(MATRIX)) return [...rows, missing("decide all pairs of 67 agents", "../shared is absent")];
  const outcomes = read(MATRIX);
  for (const withHistory of [false, true]) {
    // Of the processor, which a busy machine does not lengthen; one core does all of it.
    const start = process.cpuUsage();
    const bands = replay(code, outcomes, { withHistory });
    const { user, system } = process.cpuUsage(start);
    const took = (user + system) / 1e6;
    const how = withHistory ? "with history" : "without history";
    rows.push(
      row(`processor time to replay all pairs, ${how}`, took, MOST_SECONDS, { rival: "limit", most: 1 }),
    );
    for (const [i, { name, most, reached }] of BANDS.entries()) {
      const { pairs, tasks, wrong } = bands[i];
      const share = wrong / Math.max(1, pairs);
      const note = `${pairs} pairs, ${wrong} wrong`;
      const limit = most?.[withHistory ? 1 : 0];
      const about = `tasks to decide ${name} points, ${how}`;
      if (limit !== undefined) {
        const [ours, rival] = [(tasks / pairs).toFixed(0), `limit ${limit}`];
        const ratio = tasks / pairs / limit;
        const known = withHistory ? undefined : { most: Number((reached / limit).toFixed(2)), why: WHY };
        rows.push({
          name: about,
          ours,
          rival,
          ratio: ratio.toFixed(2),
          target: 1,
          ok: ratio <= 1,
          note,
          ...(known && { known }),
        });
      }
      // Of n pairs so many may be wrong by chance: three standard errors.
      const room = ALPHA + 3 * Math.sqrt((ALPHA * (1 - ALPHA)) / Math.max(1, pairs));
      if (share > room)
        rows.push({ name: `wrong: ${about}`, ours: share, rival: ALPHA, ratio: "", target: "", ok: false });
    }
  }
  return rows;
}

async function load() {
  const outfile = join(scratch("decisions"), "decide.mjs");
  const contents = `export { Duel } from "./src/stats/duels/duel.ts";
export { playDuel, TaskOrder } from "./src/stats/duels/task-order.ts";
export { likenessOf } from "./src/stats/duels/likeness.ts";
export { normalQuantile, taskEasiness } from "./src/stats/index.ts";
export { RandomStream, shuffle } from "./src/core/random.ts";`;
  const stdin = { contents, resolveDir: root, loader: "ts" };
  await build({ stdin, outfile, bundle: true, format: "esm", platform: "node", logLevel: "error" });
  return import(pathToFileURL(outfile).href);
}

/**
 * One line per agent, its name and then 0 or 1 for each task; or one line per agent and task: the tasks that all agents have tried
 * but those that tried less than half of what others did.
 */
function read(path) {
  const [header, ...lines] = readFileSync(path, "utf8")
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(","));
  const [agent, task, outcome] = ["experiment", "instance_id", "outcome"].map((name) => header.indexOf(name));
  if (outcome === -1) return lines.map((line) => line.slice(1).map(Number));
  const byAgent = new Map(lines.map((line) => [line[agent], new Map()]));
  for (const line of lines) byAgent.get(line[agent]).set(line[task], Number(line[outcome]));
  const most = Math.max(...[...byAgent.values()].map(({ size }) => size));
  const tried = [...byAgent.values()].filter(({ size }) => size >= most / 2);
  const tasks = [...tried[0].keys()].filter((name) => tried.every((own) => own.has(name)));
  return tried.map((own) => tasks.map((name) => own.get(name)));
}

/** 40 agents of two abilities on 300 tasks that need either to their own extent and may be guessed: not what history takes them for. */
function simulate({ RandomStream, normalQuantile }) {
  const normal = (purpose) => {
    const stream = new RandomStream(1, `bench/decisions/${purpose}`);
    return (...at) => normalQuantile(stream.uniform(...at));
  };
  const [ability, easiness, need] = ["abilities", "easiness", "needs"].map(normal);
  const chance = new RandomStream(1, "bench/decisions/outcomes");
  return Array.from({ length: 40 }, (_, a) =>
    Array.from({ length: 300 }, (_, t) => {
      const drive = [0, 1].reduce((sum, k) => sum + Math.exp(0.4 * need(t, k)) * ability(a, k), 0);
      const solves = 0.1 + 0.9 / (1 + Math.exp(-0.7 * drive - 1.5 * easiness(t)));
      return chance.uniform(a, t) < solves ? 1 : 0;
    }),
  );
}

/** The mean cost of asking after each of 100,000 runs, of two arms that don't differ: nothing is ever decided. */
function oneDecision({ Duel, RandomStream }) {
  const next = new RandomStream(1, "bench/decisions").sequence();
  const duel = new Duel({ alpha: 1e-12, margin: 1e-6, size: DECISIONS, width: 1 });
  const start = process.cpuUsage();
  for (let i = 0; i < DECISIONS; i++) duel.add(Math.floor(next() * 3) - 1);
  const { user, system } = process.cpuUsage(start);
  const each = (user + system) / DECISIONS;
  const ok = each <= MOST_MICROSECONDS;
  return {
    name: "processor time of a decision after each of 100,000 runs",
    ours: `${each.toFixed(2)} us`,
    rival: `limit ${MOST_MICROSECONDS} us`,
    ratio: (each / MOST_MICROSECONDS).toFixed(2),
    target: 1,
    ok,
  };
}

/** Pairs that hardly differ, of which there are few, are replayed in so many orders. */
function replay(code, outcomes, { withHistory, isAssumingNothing = false, orders = 1, ...terms }) {
  const size = outcomes[0].length;
  const tasks = Array.from({ length: size }, (_, task) => task);
  const temperFor = withHistory && !isAssumingNothing ? tempers(code, outcomes) : () => undefined;
  const bands = BANDS.map(() => ({ pairs: 0, tasks: 0, wrong: 0, futile: 0 }));
  for (let i = 0; i < outcomes.length; i++) {
    for (let j = 0; j < i; j++) {
      const pair = [outcomes[i], outcomes[j]];
      const history = withHistory ? outcomes.filter((_, agent) => agent !== i && agent !== j) : undefined;
      const truth = tasks.reduce((sum, task) => sum + outcomes[i][task] - outcomes[j][task], 0);
      const points = (100 * Math.abs(truth)) / size;
      const band =
        bands[
          BANDS.findIndex(({ from, to }) => (from === to ? points === 0 : points >= from && points < to))
        ];
      for (let order = 0; order < (points < CLOSE ? orders : 1); order++) {
        const seed = i * outcomes.length + j + order * outcomes.length ** 2;
        const stream = new code.RandomStream(seed, "bench/decisions/order");
        const duel = decide(code, pair, { history, temper: temperFor(i, j), stream, ...terms });
        band.pairs++;
        band.tasks += duel.differences.length;
        if (duel.verdict === "futile") band.futile++;
        const sign = { greater: 1, less: -1 }[duel.verdict] ?? 0;
        if (sign !== 0 && sign !== Math.sign(truth)) band.wrong++;
      }
    }
  }
  return bands;
}

/**
 * How far one may count on two agents being like the others, by the others alone. To play that on every pair anew would take
 * minutes, so it leaves out everybody of the groups of the two.
 */
function tempers({ likenessOf }, outcomes) {
  const known = new Map();
  return (i, j) => {
    const groups = [i % GROUPS, j % GROUPS].sort((a, b) => a - b);
    const key = groups.join();
    if (!known.has(key)) {
      const others = outcomes.filter((_, agent) => !groups.includes(agent % GROUPS));
      known.set(key, likenessOf(others)?.temper);
    }
    return known.get(key);
  };
}

function decide(
  { Duel, TaskOrder, playDuel, taskEasiness, shuffle },
  [one, other],
  { history, temper, stream, ...terms },
) {
  const size = one.length;
  if (history === undefined) {
    const duel = new Duel({ alpha: ALPHA, size, width: 1, ...terms });
    const order = shuffle([...one.keys()], stream);
    for (let t = 0; t < size && duel.verdict === null; t++) duel.add(one[order[t]] - other[order[t]]);
    return duel;
  }
  const easiness = taskEasiness(history);
  const likeness = temper && { easiness, temper };
  const duel = new Duel({ alpha: ALPHA, size, width: 1, likeness, ...terms });
  playDuel(duel, new TaskOrder(easiness, stream), [one, other]);
  return duel;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const asked = parseArgs({
    allowPositionals: true,
    options: {
      ...{ half: { type: "string" }, margin: { type: "string" }, power: { type: "string" } },
      ...{ assume: { type: "string" }, orders: { type: "string" } },
    },
  });
  const { half, assume, ...numbers } = asked.values;
  const terms = Object.fromEntries(Object.entries(numbers).map(([name, text]) => [name, Number(text)]));
  const code = await load();
  const [path = MATRIX] = asked.positionals;
  const all = path === "simulated" ? simulate(code) : read(path);
  const outcomes = half ? all.filter((_, agent) => agent % 2 === (half === "first" ? 0 : 1)) : all;
  console.log(`${outcomes.length} agents on ${outcomes[0].length} tasks`);
  const [plain, history] = [false, true].map((withHistory) =>
    replay(code, outcomes, { withHistory, isAssumingNothing: assume === "nothing", ...terms }),
  );
  const table = BANDS.map(({ name, most }, i) => ({
    "true difference, points": name,
    pairs: plain[i].pairs,
    "mean tasks": Math.round(plain[i].tasks / plain[i].pairs),
    wrong: plain[i].wrong,
    "given up": plain[i].futile,
    "with history": Math.round(history[i].tasks / history[i].pairs),
    "wrong with history": history[i].wrong,
    wanted: most?.join(" and ") ?? "",
  }));
  console.table(table);
  console.table([oneDecision(code)]);
}
