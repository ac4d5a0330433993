// Does a true slowdown of 0, 2, 5 or 10 % get found on a busy machine? Ours against hyperfine and pytest-benchmark, each with
// the verdict that it gives itself, on the same bodies. `npm run bench -- slowdown` measures what is missing from
// SLOWDOWN_FILE (default: measured.jsonl beside this file), 0 and 5 % first, and may be ended and started again at any time;
// `node bench/slowdown/index.js --minutes 4` begins nothing that would take longer. SLOWDOWN_REPEATS, _EFFECTS, _COMPETING, _BODIES
// and _JUDGES make it smaller. docs/benchmarks.md has the counts.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { missing, scratch } from "../support/measure.js";
import { isHere, judges, writeBodies } from "./judges.js";
import { readMeasured, tally } from "./measured.js";

const words = (name, fallback) => (process.env[name] ?? fallback).split(",");
const REPEATS = Number(process.env.SLOWDOWN_REPEATS ?? 40);
const EFFECTS = words("SLOWDOWN_EFFECTS", "5,0,2,10").map(Number);
/** All repeats of what the promise is about come before the others. A group shares what it is compared with where a judge may. */
const GROUPS = [
  [5, 0],
  [2, 10],
].map((group) => group.filter((effect) => EFFECTS.includes(effect)));
const COMPETING = words("SLOWDOWN_COMPETING", "0,1,2").map(Number);
const BODIES = words("SLOWDOWN_BODIES", "node,python,program");
const JUDGES = words("SLOWDOWN_JUDGES", Object.keys(judges).join(","));
const FILE = process.env.SLOWDOWN_FILE ?? fileURLToPath(new URL("measured.jsonl", import.meta.url));

export default async function measure({ minutes = Number.POSITIVE_INFINITY } = {}) {
  const dir = scratch("slowdown");
  writeBodies(dir);
  const asked = Object.entries(judges).filter(
    ([name, { body }]) => JUDGES.includes(name) && BODIES.includes(body),
  );
  const here = asked.filter(([, judge]) => isHere(judge, dir));
  const done = new Set(readMeasured(FILE).map(keyOf));
  const end = performance.now() + 60_000 * minutes;
  const longest = new Map();
  for (const cell of cells(here)) {
    const effects = cell.effects.filter((effect) => !done.has(keyOf({ ...cell, effect })));
    if (effects.length === 0) continue;
    const start = performance.now();
    if (start + (longest.get(cell.judge) ?? 0) > end) break;
    const load = loadavg()[0];
    const said = await beside(cell.competing, () => judges[cell.judge].ask(dir, { ...cell, effects }));
    const took = performance.now() - start;
    longest.set(cell.judge, Math.max(took, longest.get(cell.judge) ?? 0));
    const seconds = Number((took / 1000 / effects.length).toFixed(1));
    for (const [i, effect] of effects.entries()) {
      const { judge, body, competing, repeat } = cell;
      const line = { judge, body, effect, competing, repeat, ...said[i], load, seconds };
      appendFileSync(FILE, `${JSON.stringify(line)}\n`);
      process.stderr.write(`${JSON.stringify(line)}\n`);
    }
  }
  return [
    ...asked
      .filter(([name]) => !here.some(([other]) => other === name))
      .map(([name]) => missing(`${name} finds a slowdown`, `${name} is not installed`)),
    ...tally(readMeasured(FILE)).map(rowOf),
  ];
}

/** Cell by cell in each repeat, so that whatever ends it leaves all cells of a group with about as many. */
function* cells(here) {
  for (const effects of GROUPS)
    for (let repeat = 0; repeat < REPEATS; repeat++)
      for (const competing of COMPETING)
        for (const [judge, { body }] of here) yield { judge, body, effects, competing, repeat };
}

const keyOf = ({ judge, effect, competing, repeat }) => [judge, effect, competing, repeat].join(" ");

/** Ends by itself where what started it is gone. */
const BUSY = `const parent = process.ppid;
while (process.ppid === parent) for (let i = 0; i < 1e7; i++) Math.sqrt(Math.random());`;

/** While so many processes of ours compete for the cores. */
async function beside(competing, act) {
  const busy = Array.from({ length: competing }, () =>
    spawn(process.execPath, ["-e", BUSY], { stdio: "ignore" }),
  );
  try {
    return await act();
  } finally {
    for (const child of busy) child.kill("SIGKILL");
  }
}

function rowOf({ judge, body, effect, competing, count, slower, faster, load }) {
  const isOurs = judge.startsWith("assay");
  const target = effect === 0 ? "<= 5 %" : effect >= 5 ? ">= 90 %" : "-";
  const allowed = Math.max(1, Math.round(0.05 * count));
  const isMet =
    effect === 0
      ? slower + faster <= allowed
      : effect >= 5
        ? faster === 0 && slower >= Math.floor(0.9 * count)
        : null;
  return {
    name: `${effect} % slower, ${competing} competing, ${body}: ${judge}`,
    ours: `found ${slower}`,
    rival: `wrong sign ${faster}`,
    ratio: `of ${count}`,
    target: isOurs ? target : "-",
    ok: isOurs ? isMet : null,
    note: `load ${load.map((value) => value.toFixed(0)).join(" to ")}`,
  };
}

// As a script of its own too, so that several bodies can be measured at once.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { minutes: { type: "string" } } });
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
  for (const { name, ours, rival, ratio, note } of await measure({ minutes }))
    console.log(name, ours, rival, ratio, note);
}
