import { bootstrapDifferenceInterval } from "../../dist/stats.js";
import { missing, pythonHas, row, scratch } from "../support/measure.js";
import { BUDGETS, LEAST, makeAsk, RIVALS, runContest } from "./contest.js";

/**
 * Regret and speed of the searchers against Optuna's TPE, in about ten minutes. A row of regret is met where `auto` is
 * not worse than either of Optuna's beyond the 95 % interval of the difference. publish.js writes all into the docs.
 */
export default async function benchSearch() {
  if (!pythonHas("optuna")) return [missing("search", "python3-optuna is not installed")];
  const ask = await makeAsk(scratch("search"));
  const results = await runContest(ask, ["auto", "tpe", ...Object.keys(RIVALS)]);
  return [...regretRows(results), ...(await speedRows(ask))];
}

export function regretRows(results) {
  return ["auto", "tpe"].flatMap((ours) =>
    Object.keys(LEAST).flatMap((fn) =>
      BUDGETS.map((budget) => {
        const mean = (name) =>
          results[fn][name][budget].reduce((sum, x) => sum + x / results[fn][name][budget].length, 0);
        const rival = Object.keys(RIVALS).reduce((a, b) => (mean(b) < mean(a) ? b : a));
        return {
          name: `regret of ${ours}, ${fn}, ${budget} runs`,
          ours: mean(ours).toPrecision(3),
          rival: `${RIVALS[rival]} ${mean(rival).toPrecision(3)}`,
          ratio: (mean(ours) / mean(rival)).toPrecision(2),
          target: "not worse",
          ok: verdict(results[fn], ours, rival, budget) !== "worse",
          note: verdict(results[fn], ours, rival, budget),
        };
      }),
    ),
  );
}

/** By the 95 % bootstrap interval of the difference of mean regrets. */
export function verdict(result, ours, rival, budget) {
  const interval = bootstrapDifferenceInterval(result[ours][budget], result[rival][budget]);
  if (!interval.known) return "alike";
  return interval.high < 0 ? "better" : interval.low > 0 ? "worse" : "alike";
}

export async function speedRows(ask) {
  const [ours] = await ask("tpe", ["speed", 1000, 101]);
  const rows = [];
  for (const rival of Object.keys(RIVALS)) {
    const [theirs] = await ask(rival, ["speed", 1000, 25]);
    rows.push(
      row("a proposal of tpe after 1,000 runs", ours, theirs, {
        rival: RIVALS[rival],
        most: 0.1,
        unit: "ms",
      }),
    );
  }
  const times = await growth(ask);
  const [n, first, last] = [4000 / 250, times[0].ms, times.at(-1).ms];
  const limit = (n * Math.log(4000)) / Math.log(250);
  rows.push({
    name: "a proposal of tpe, 4,000 against 250 runs",
    ours: `${last.toPrecision(3)} ms`,
    rival: `n log n: ${(first * limit).toPrecision(3)} ms`,
    ratio: (last / first / limit).toFixed(2),
    target: "<= 1",
    ok: last <= first * limit,
  });
  return rows;
}

export async function growth(ask) {
  const times = [];
  for (const n of [250, 500, 1000, 2000, 4000])
    times.push({ n, ms: (await ask("tpe", ["speed", n, 101]))[0] });
  return times;
}
