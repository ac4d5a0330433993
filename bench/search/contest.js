import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";

const run = promisify(execFile);
const here = fileURLToPath(new URL(".", import.meta.url));

export const LEAST = {
  branin: 0.39788735772973816,
  hartmann6: -3.32236801141551,
  rosenbrock4: 0,
  ackley5: 0,
  mixed: 0.1,
  noisy: -3.86278214782076,
};
export const BUDGETS = [50, 200];
export const SEEDS = 20;
export const RIVALS = { default: "Optuna TPE", multivariate: "Optuna TPE, multivariate" };

/**
 * A command that is either side of the contest: `ask("auto", ["regret", ...])`. Regrets do not depend on the machine: while
 * developing, ASSAY_BENCH_CACHE names a folder that keeps them from run to run.
 */
export async function makeAsk(dir) {
  const ours = join(dir, "ours.mjs");
  await build({
    entryPoints: [join(here, "ours.ts")],
    outfile: ours,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "warning",
  });
  return async (name, [mode, ...rest]) => {
    const words = [mode, name, ...rest.map(String)];
    const kept =
      process.env.ASSAY_BENCH_CACHE && join(process.env.ASSAY_BENCH_CACHE, `${words.join("-")}.jsonl`);
    if (kept && existsSync(kept)) return parse(readFileSync(kept, "utf8"));
    const command =
      name in RIVALS
        ? ["/usr/bin/python3", "-W", "ignore", join(here, "optuna-rival.py")]
        : [process.execPath, ours];
    const { stdout } = await run("nice", ["-n", "5", ...command, ...words], { maxBuffer: 1 << 28 });
    if (kept && mode === "regret") writeFileSync(kept, stdout);
    return parse(stdout);
  };
}

function parse(lines) {
  return lines.trim().split("\n").map(JSON.parse);
}

/** For each function and contender: the regret of each seed at each budget. All in one run, as many at once as cores. */
export async function runContest(ask, contenders) {
  const jobs = Object.keys(LEAST).flatMap((fn) =>
    contenders.filter((name) => name !== "cmaes" || fn !== "mixed").map((name) => ({ fn, name })),
  );
  const most = Math.max(...BUDGETS);
  const results = Object.fromEntries(Object.keys(LEAST).map((fn) => [fn, {}]));
  const worker = async () => {
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      const { fn, name } = job;
      process.stderr.write(`  ${fn} ${name}\n`);
      const curves = await ask(name, ["regret", fn, SEEDS, most]);
      results[fn][name] = Object.fromEntries(
        BUDGETS.map((budget) => [budget, curves.map((curve) => curve[budget - 1] - LEAST[fn])]),
      );
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return results;
}
