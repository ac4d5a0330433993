import { hostname } from "node:os";
import { relative } from "node:path";
import type { Comparison } from "../analysis/compare/comparison.ts";
import { type Recommendation, recommend, suites } from "../api/recommend.ts";
import { checkPresetPath, writePreset } from "../api/write-preset.ts";
import { shellWord } from "../core/escape.ts";
import { numberText, plural, rangeText } from "../core/number-text.ts";
import type { Suite } from "../targets/target-package.ts";
import { listenForInterrupts } from "./interrupts.ts";
import { Progress } from "./progress.ts";
import { styleFor, table } from "./terminal.ts";

interface RecommendCommand {
  quick?: boolean;
  out?: string;
  outRoot?: string;
  json?: boolean;
}

export async function recommendSuite(
  name: string,
  { quick, out = `${name}-recommended.yaml`, outRoot, json }: RecommendCommand,
): Promise<void> {
  const suite = suites[name]!;
  checkPresetPath(out);
  const interrupts = listenForInterrupts();
  const found = await recommend(suite, {
    isQuick: quick ?? false,
    ...(outRoot !== undefined && { outRoot }),
    sinks: [new Progress({ stream: process.stderr, verbosity: json ? -1 : 0 })],
    stop: interrupts.stop.signal,
    kill: interrupts.kill,
  }).finally(() => interrupts.release());
  if (found.summary.stopped !== undefined) {
    process.stderr.write("assay: stopped before the end, so nothing is recommended\n");
    process.exitCode = interrupts.exitCode;
    return;
  }
  const advice = adviceOf(found, suite);
  writePreset(out, found.params, {
    title: `${name}\` on ${hostname()}, ${new Date().toISOString().slice(0, 10)}: ${found.chosen.what}.`,
    remarks: advice.slice(1),
  });
  if (json) {
    const comparisons = found.comparisons.map(({ values: _, ...one }) => one);
    console.log(JSON.stringify({ ...found, comparisons, advice, preset: out }));
    return;
  }
  const { bold, dim, yellow } = styleFor(process.stdout);
  console.log(bold(advice[0]!));
  for (const line of advice.slice(1)) console.log(line);
  console.log(`\n${meansTable(found, suite)}\n`);
  if (found.summary.failed > 0)
    console.log(yellow(`${plural(found.summary.failed, "run")} failed: assay status ${found.studyDir}`));
  console.log(dim(`The runs: ${relative(process.cwd(), found.studyDir)}`));
  console.log(`Preset: ${out}. Next: assay run STUDY --preset ${shellWord(out)}`);
}

/** First what to use, then what that is based on. */
function adviceOf({ chosen, tied, unknown, comparisons }: Recommendation, suite: Suite): string[] {
  const alike = tied.filter((name) => name !== chosen.name);
  const lines = [`Use: ${suite.words.use} ${chosen.what} (${chosen.risk}).`];
  if (tied.length === comparisons.length + 1)
    lines.push("No difference between these ways could be shown here, so this is the one that risks least.");
  else if (alike.length > 0)
    lines.push(
      `Of those that can't be told from the fastest (${[chosen.name, ...alike].join(", ")}) it risks least.`,
    );
  for (const one of comparisons) {
    const { what } = suite.candidates.find(({ name }) => name === one.candidate.name)!;
    lines.push(comparisonLine(one, what, unknown));
  }
  return lines;
}

function comparisonLine(one: Comparison, what: string, unknown: readonly string[]): string {
  const name = what[0]!.toUpperCase() + what.slice(1);
  if (unknown.includes(one.candidate.name) || !one.relative.known)
    return `${name}: unknown, because ${one.relative.known ? "it could not be compared" : one.relative.why}.`;
  const { value, low, high } = one.relative;
  const times = rangeText({ value: 1 + value, low: 1 + low, high: 1 + high });
  const size = `${plural(one.pairing.n, one.pairing.noun)}, ${one.pairing.isPaired ? "paired" : "not paired"}`;
  return `${name}: ${times} times as long, ${size}${remarkOn(one.verdict, low > 0 || high < 0)}.`;
}

/** The interval is of one comparison alone, the verdict counts that there are several. */
function remarkOn(verdict: Comparison["verdict"], isClearAlone: boolean): string {
  if (verdict === "worse") return "";
  if (verdict === "better") return " (faster, though the fastest of all is not shown to be)";
  return isClearAlone ? " (not sure, among several comparisons)" : " (can't be told apart)";
}

function meansTable({ means, chosen }: Recommendation, suite: Suite): string {
  return table(
    ["way", suite.words.mean, "n", ""],
    means.map(({ name, ms, n }) => [name, numberText(ms), n, name === chosen.name ? "<- use this" : ""]),
  );
}
