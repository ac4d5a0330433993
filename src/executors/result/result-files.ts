import type { Setting } from "../../core/executor.ts";
import { rounded } from "../../core/number-text.ts";
import type { Redactor } from "../../core/redact.ts";
import type { ColumnSummary, ResultFile } from "../../core/result-file.ts";
import type { Attempt, Run } from "../../core/run.ts";
import { RUN_FILES } from "../../core/study-folder.ts";
import { describeResult } from "./describe-result.ts";

/** result.json and result.md with what is in them, where the study asks for them. */
export function resultFiles(
  run: Run,
  attempt: Attempt,
  { setting: { result: facts, iterations }, redactor }: { setting: Setting; redactor: Redactor },
): (readonly [string, string])[] {
  if (!facts) return [];
  const result = redactor.value(describeResult({ run, attempt, facts, iterations }));
  return [
    [RUN_FILES.result, resultText(result)],
    [RUN_FILES.resultPage, redactor.text(resultMarkdown(result))],
  ];
}

/** result.json as text: indented for people, but an iteration a line. */
export function resultText(result: ResultFile): string {
  const lines = result.iteration_metrics.map((iteration) => `    ${JSON.stringify(iteration)}`);
  const list = lines.length === 0 ? "[]" : `[\n${lines.join(",\n")}\n  ]`;
  // The list stands alone on its line, so nothing that a user wrote can be taken for it.
  const text = JSON.stringify({ ...result, iteration_metrics: [] }, null, 2);
  return `${text.replace('\n  "iteration_metrics": []', () => `\n  "iteration_metrics": ${list}`)}\n`;
}

/** result.md: the same for people. */
export function resultMarkdown(result: ResultFile): string {
  const { name, run_id, status, reason, notes, tags, parameters, metrics, iterations, vcs } = result;
  const failed = result.failed_iteration;
  const all = Object.entries(metrics);
  const isOnce = (m: ColumnSummary | null) => m?.n === 1 && result.iteration_metrics.length > 1;
  const once = all.filter(([, m]) => isOnce(m));
  const repeated = all.filter(([, m]) => !isOnce(m));
  const lines = [
    `# ${name}: ${run_id}`,
    "",
    `**${status}**${reason === null ? "" : `: ${reason}`}`,
    ...(notes === null ? [] : ["", notes]),
    ...(tags.length === 0 ? [] : ["", `Tags: ${tags.join(", ")}`]),
    "",
    "| parameter | value |",
    "| --- | --- |",
    ...Object.entries({ ...parameters, seed: result.seed }).map(
      ([key, value]) => `| ${cell(key)} | ${cell(JSON.stringify(value))} |`,
    ),
    "",
    `${iterations.warmup} warm-up and ${result.iteration_metrics.length + result.iterations_left_out} of ${iterations.measured} measured iterations` +
      (iterations.batch === undefined ? "" : `, each the mean of ${iterations.batch} calls`) +
      (failed === null ? "." : `; iteration ${failed.index + 1} failed: ${failed.reason}.`),
    "",
    "| metric | n | mean | 95 % interval | p50 | p95 | p99 | sd | min | max | outliers |",
    "| --- | --: | --: | --- | --: | --: | --: | --: | --: | --: | --: |",
    ...repeated.map(([key, m]) => metricRow(key, m)),
    ...(once.length === 0
      ? []
      : [
          "",
          "| measured once | value |",
          "| --- | --: |",
          ...once.map(([key, m]) => `| ${cell(key)} | ${number(m!.mean)} |`),
        ]),
    ...(result.timing_overhead_ns === null
      ? []
      : ["", `Reading the clock adds about ${result.timing_overhead_ns} ns to each duration.`]),
    ...(result.warnings.length === 0
      ? []
      : ["", "## Keep in mind", "", ...result.warnings.map((text) => `- ${text}`)]),
    "",
    "## Where and when",
    "",
    `- ${result.started_at} to ${result.ended_at}`,
    ...Object.entries(result.environment).map(([key, value]) => `- ${key}: ${String(value)}`),
    `- code: ${vcs === null ? "not in git" : `${vcs.branch} ${vcs.commit.slice(0, 12)}${vcs.dirty ? ", with uncommitted changes" : ""}`}`,
    `- program: ${result.program}`,
    `- spec: ${result.spec.path} (${result.spec.hash.slice(0, 12)})`,
    ...(result.artifacts.length === 0
      ? []
      : ["", "## Files", "", ...result.artifacts.map(({ path, type }) => `- [${path}](${path}) (${type})`)]),
  ];
  return `${lines.join("\n")}\n`;
}

function metricRow(name: string, m: ColumnSummary | null): string {
  if (m === null) return `| ${cell(name)} | 0 | unknown | | | | | | | | |`;
  const numbers = [m.p50, m.p95, m.p99, m.sd, m.min, m.max].map(number);
  const cells = [
    cell(name),
    m.n,
    number(m.mean),
    interval(m.low, m.high),
    ...numbers,
    m.outliers ?? "unknown",
  ];
  return `| ${cells.join(" | ")} |`;
}

function interval(low: number | null, high: number | null): string {
  return low === null || high === null ? "unknown" : `${number(low)} to ${number(high)}`;
}

function number(value: number | null): string {
  if (value === null) return "unknown";
  return Number.isInteger(value) ? String(value) : String(rounded(value, 4));
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
