import { resolve } from "node:path";
import { numberText } from "../core/number-text.ts";
import { type Warning, warningOfRun } from "../core/warning.ts";
import { checkParams } from "../targets/check-params.ts";
import { shippedTargets, sims } from "../targets/index.ts";
import type { TargetMetrics } from "../targets/target.ts";
import { readOptions } from "./overrides.ts";
import { styleFor } from "./terminal.ts";

interface SimOptions {
  seed: number;
  out?: string;
  json?: boolean;
}

/** One run of the scheduler simulator, with its parameters as options. */
export async function sim(words: string[], options: SimOptions): Promise<void> {
  const given = readOptions(words, { target: sims.simulator.target, example: sims.simulator.example });
  const simulator = await shippedTargets[sims.simulator.target]!();
  const params = checkParams(simulator, {
    ...(options.out !== undefined && sims.simulator.paramsToLookAt),
    ...given,
  });
  const outDir = options.out === undefined ? null : resolve(options.out);
  const warnings: Warning[] = [];
  const start = performance.now();
  const metrics: TargetMetrics = await simulator.run(
    {
      params,
      seed: options.seed,
      task: null,
      repeat: 0,
      iteration: 0,
      baseDir: process.cwd(),
      outDir,
      signal: new AbortController().signal,
      series: () => {},
      warn: (text) => warnings.push(warningOfRun(text)),
    },
    undefined,
  );
  if (options.json) {
    console.log(JSON.stringify({ params: given, seed: options.seed, metrics, warnings, outDir }));
    return;
  }
  const style = styleFor(process.stdout);
  const width = Math.max(...Object.keys(metrics).map((name) => name.length));
  for (const [name, value] of Object.entries(metrics)) {
    const unit = simulator.metrics?.[name]?.unit ?? "";
    console.log(
      `${name.padEnd(width)}  ${value === null ? "unknown" : numberText(Number(value))} ${style.dim(unit)}`.trimEnd(),
    );
  }
  for (const { text } of warnings) console.log(style.yellow(text));
  console.log(
    style.dim(
      `simulated in ${Math.round(performance.now() - start)} ms${outDir === null ? "; --out FOLDER keeps the files" : ` -> ${options.out}`}`,
    ),
  );
}
