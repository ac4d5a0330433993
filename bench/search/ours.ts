import { RandomStream } from "../../src/core/random.ts";
import { searchers } from "../../src/search/searchers/index.ts";
import type { Evaluation, Problem, Searcher } from "../../src/search/searchers/searcher.ts";
import { normalQuantile } from "../../src/stats/distributions/normal.ts";
import { FUNCTIONS } from "./functions.ts";

/**
 * Our side of bench/search, with the arguments and answers of optuna-rival.py: `regret SEARCHER FUNCTION SEEDS BUDGET`
 * and `speed SEARCHER N REPEATS`.
 */
const [mode, name, third, fourth, budget] = process.argv.slice(2) as [string, string, string, string, string];
const searcher = searchers[name]!;
if (mode === "regret")
  for (let seed = 0; seed < Number(fourth); seed++) console.log(regretCurve(third, seed));
else console.log(proposalMs(Number(third), Number(fourth)));

function problemFor(functionName: string, seed: number, { options }: Searcher): Problem {
  const { space } = FUNCTIONS[functionName]!;
  return { space, objectives: [{ metric: "loss", goal: "minimize" }], seed, options: options.parse({}) };
}

function regretCurve(functionName: string, seed: number): string {
  const { noise, at } = FUNCTIONS[functionName]!;
  const problem = problemFor(functionName, seed, searcher);
  const chance = new RandomStream(10_000 + seed, "noise");
  const history: Evaluation[] = [];
  let best = Number.POSITIVE_INFINITY;
  let bestTrue = Number.POSITIVE_INFINITY;
  const curve: number[] = [];
  for (let i = 0; i < Number(budget); i++) {
    const params = searcher.ask(history, 1, problem)[0]!;
    const truth = at(params);
    const seen = truth + noise * normalQuantile(chance.uniform(i));
    history.push({ params, state: "ok", values: [seen] });
    if (seen < best) [best, bestTrue] = [seen, truth];
    curve.push(bestTrue);
  }
  return JSON.stringify(curve);
}

/** The median of several proposals after n random points of hartmann6 have finished. */
function proposalMs(n: number, repeats: number): number {
  const problem = problemFor("hartmann6", 1, searcher);
  const history: Evaluation[] = [];
  const tell = (params: Evaluation["params"]) =>
    history.push({ params, state: "ok", values: [FUNCTIONS.hartmann6!.at(params)] });
  for (const params of searchers.random!.ask([], n, problem)) tell(params);
  const times: number[] = [];
  for (let i = 0; i < repeats; i++) {
    const start = performance.now();
    const params = searcher.ask(history, 1, problem)[0]!;
    times.push(performance.now() - start);
    tell(params);
  }
  return times.sort((a, b) => a - b)[repeats >> 1]!;
}
