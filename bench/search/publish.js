// Runs the whole contest and writes its tables into docs/search.md: `node bench/search/publish.js`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bootstrapInterval } from "../../dist/stats.js";
import { root, scratch } from "../support/measure.js";
import { BUDGETS, LEAST, makeAsk, RIVALS, runContest, SEEDS } from "./contest.js";
import { growth, verdict } from "./index.js";

const SIGNS = { better: "+", alike: "=", worse: "−" };
const OURS = ["auto", "gp", "tpe", "cmaes", "random"];
const page = join(root, "docs/search.md");

const ask = await makeAsk(scratch("search"));
const results = await runContest(ask, [...OURS, ...Object.keys(RIVALS)]);
const speeds = [];
for (const n of [250, 1000, 4000]) {
  const line = [n.toLocaleString("en")];
  for (const name of ["tpe", ...Object.keys(RIVALS)]) {
    const repeats = name === "tpe" ? 101 : n > 1000 ? 5 : 25;
    line.push(Number((await ask(name, ["speed", n, repeats]))[0].toPrecision(2)));
  }
  speeds.push(line);
}
const times = await growth(ask);
const text = [
  `Mean regret of ${SEEDS} seeds with the 95 % BCa bootstrap interval; in brackets what the interval of the difference says`,
  "against Optuna's default and its multivariate TPE: + better, = alike, − worse.",
  "",
  ...table(
    ["function", "runs", ...OURS, ...Object.values(RIVALS)],
    Object.keys(LEAST).flatMap((fn) => BUDGETS.map((budget) => lineFor(fn, budget))),
  ),
  "",
  "Milliseconds a proposal after so many finished runs of a space of 6 parameters, medians:",
  "",
  ...table(["finished", "tpe", ...Object.values(RIVALS)], speeds),
  "",
  `Ours alone: ${times.map(({ n, ms }) => `${ms.toPrecision(2)} ms at ${n}`).join(", ")}.`,
].join("\n");
const before = readFileSync(page, "utf8");
const marked = /(<!-- measured -->\n)[\s\S]*?(<!-- end -->)/;
if (!marked.test(before)) throw new Error(`${page} has no place for the tables`);
writeFileSync(
  page,
  before.replace(marked, (_, start, end) => `${start}\n${text}\n\n${end}`),
);

function lineFor(fn, budget) {
  const cells = [...OURS, ...Object.keys(RIVALS)].map((name) => {
    const regrets = results[fn][name]?.[budget];
    if (!regrets) return "";
    const shown = short(regrets);
    if (!OURS.includes(name) || name === "random") return shown;
    const marks = Object.keys(RIVALS).map((rival) => SIGNS[verdict(results[fn], name, rival, budget)]);
    return `${shown} [${marks.join(" ")}]`;
  });
  return [fn, budget, ...cells];
}

function short(regrets) {
  const digits = (x) => Number(x.toPrecision(2)).toString();
  const interval = bootstrapInterval(regrets);
  if (!interval.known) return digits(regrets[0]);
  return `${digits(interval.estimate)} (${digits(Math.max(0, interval.low))} to ${digits(interval.high)})`;
}

function table(header, lines) {
  return [header, header.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`);
}
