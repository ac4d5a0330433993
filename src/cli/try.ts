import { existsSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { runPrepared } from "../api/run-study.ts";
import { isUntouched, patternsIn, trialStudy, trialText } from "../api/scaffold/try-study.ts";
import { currentRecords } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import { shellWord } from "../core/escape.ts";
import type { Value } from "../core/params.ts";
import type { RunRecord } from "../core/run.ts";
import { RUN_FILES, runDir } from "../core/study-folder.ts";
import { suggestion } from "../core/suggest.ts";
import { schemaPath } from "../host/environment.ts";
import { replaceFile } from "../host/files.ts";
import type { StudyResult } from "../launch/launch-study.ts";
import { type PreparedStudy, prepareFile } from "../launch/prepare-study.ts";
import { readOutput } from "../targets/command/read-printed.ts";
import { listenForInterrupts } from "./interrupts.ts";
import { readValue } from "./overrides.ts";
import { type RunCommandOptions, runOne } from "./run.ts";

interface TryOptions extends Pick<RunCommandOptions, "jobs" | "quiet" | "json"> {
  seeds: number | number[];
  metric?: string[];
  goal?: "minimize" | "maximize";
  out: string;
}

const EXAMPLE = "assay try 'python3 agent.py --model {model}' model=small,big --metric 'accuracy: ([0-9.]+)'";
const MOST_SHOWN = 3;

/** Runs a command with several values and seeds, says what comes of it, and writes the study that does the same. */
export async function tryCommand(
  command: string | undefined,
  words: string[],
  options: TryOptions,
): Promise<void> {
  if (command === undefined) throw new UserError("no command", { remedy: `For instance ${EXAMPLE}.` });
  const values = Object.fromEntries(words.map(readValues));
  const write = (metrics: string[]) => writeStudy({ command, values, metrics }, words, options);
  let prepared = await write(options.metric ?? []);
  // One run first: a slip in the command or in the pattern should cost one run, not all of them.
  const first = await firstRun(prepared, options);
  if (first === undefined) return;
  const { metrics } = first;
  if (metrics.join() !== (options.metric ?? []).join()) prepared = await write(metrics);
  const { out, goal, quiet, json } = options;
  const more = goal === undefined ? "Add --goal maximize (or minimize) to say which way is better." : "";
  await runOne(
    prepared,
    { ...(quiet && { quiet }), ...(json && { json }), report: true, trace: true, verbose: 0 },
    {
      earlier: first.summary,
      next: `assay run ${shellWord(out)}   (the same again; edit it for more seeds or values)${more && `\n      ${more}`}`,
    },
  );
}

/** `model=small,big`: a parameter and its values. */
export function readValues(word: string): [string, Value[]] {
  const [, name, text] = /^([A-Za-z_][\w.-]*)=(.+)$/s.exec(word) ?? [];
  if (name === undefined)
    throw new UserError(`"${word}" is not a parameter with its values`, {
      expected: "name=value,value",
      remedy: word.endsWith("=")
        ? `Add the values: ${word}1,2.`
        : `Put the whole command in quotes: ${EXAMPLE}.`,
    });
  const list = text!.startsWith("[")
    ? readValue(text!)
    : text!.split(",").map((part) => readValue(part.trim()));
  return [name, Array.isArray(list) ? list : [list]];
}

async function writeStudy(
  trial: { command: string; values: Record<string, Value[]>; metrics: string[] },
  words: readonly string[],
  { seeds, goal, out, jobs }: TryOptions,
): Promise<PreparedStudy> {
  const cwd = relative(dirname(resolve(out)), process.cwd());
  const study = trialStudy({ ...trial, seeds, ...(goal && { goal }), ...(cwd !== "" && { cwd }) });
  if (existsSync(out) && !isUntouched(readFileSync(out, "utf8")))
    throw new UserError(`${out} exists already and was edited since \`assay try\` wrote it`, {
      remedy: `Name another file with --out, or run that one: \`assay run ${shellWord(out)}\`.`,
    });
  const count = Array.isArray(seeds) ? seeds.join() : String(seeds);
  const options = [
    ...trial.metrics.flatMap((metric) => ["--metric", metric]),
    ...(goal ? ["--goal", goal] : []),
  ];
  const made = ["assay", "try", trial.command, ...words, "--seeds", count, ...options]
    .map(shellWord)
    .join(" ");
  replaceFile(out, trialText(study, { made: made.replaceAll("\n", " "), schema: schemaPath() }));
  return prepareFile(out, jobs === undefined ? {} : { jobs });
}

/** Does the first run and says which metrics it has; undefined if it was interrupted. */
async function firstRun(
  prepared: PreparedStudy,
  options: TryOptions,
): Promise<{ metrics: string[]; summary: StudyResult["summary"] } | undefined> {
  const first = prepared.plan.runs().next().value!;
  const interrupts = listenForInterrupts();
  let result: StudyResult;
  try {
    result = await runPrepared(
      { ...prepared, isMeant: ({ id }) => id === first.id },
      { sinks: [], stop: interrupts.stop.signal, kill: interrupts.kill },
    );
  } finally {
    interrupts.release();
  }
  if (interrupts.stop.signal.aborted) {
    process.stderr.write("stopped in the first run; the same command tries again\n");
    process.exitCode = interrupts.exitCode;
    return undefined;
  }
  const record = currentRecords(prepared.studyDir).find(({ id }) => id === first.id);
  if (record?.outcome.status !== "ok") throw new Failed(failureOf(prepared, record, first.id, options.out));
  return { metrics: metricsOf(prepared, record, options.metric ?? []), summary: result.summary };
}

/** Exit code 1: nothing was wrong with how Assay was called, but there is no result. */
class Failed extends Error {
  readonly exitCode = 1;
}

function failureOf(prepared: PreparedStudy, record: RunRecord | undefined, id: string, out: string): string {
  const { owner, reason = "it was not done" } = record?.outcome ?? {};
  if (owner === "grader") return `the first run gave ${reason}. ${remedyFor(printed(prepared, id))}`;
  return `the first run failed: ${reason}. \`assay show ${id}\` shows everything it printed; \`assay run ${shellWord(out)}\` runs them all anyway.`;
}

/** The metrics that were asked for, or the one that there is. */
function metricsOf(prepared: PreparedStudy, { id, metrics }: RunRecord, asked: string[]): string[] {
  const names = Object.keys(metrics);
  const { metrics: patterns = {} } = prepared.study.target as { metrics?: Record<string, string> };
  const candidates = patternsIn(printed(prepared, id));
  if (asked.length === 0) {
    if (names.length === 1) return names;
    if (names.length > 1)
      throw new Failed(
        `the first run has several metrics: ${names.join(", ")}. Say which one counts: --metric ${names[0]}.`,
      );
    throw new Failed(`the first run reports no metric. ${remedyFor(printed(prepared, id))}`);
  }
  return asked.map((metric) => {
    const isThere = names.includes(metric.trim()) || Object.values(patterns).includes(metric);
    if (isThere) return metric;
    const inOutput = candidates.find(({ name }) => name === metric.trim());
    if (inOutput) return inOutput.pattern;
    const known = [...names, ...candidates.map(({ name }) => name)];
    throw new Failed(
      `the first run has no metric "${metric}". ${known.length > 0 ? suggestion(metric, known) : remedyFor(printed(prepared, id))}`,
    );
  });
}

function remedyFor(output: string): string {
  const [first, ...more] = patternsIn(output);
  if (!first)
    return "Print it, such as `accuracy: 0.9`, and add --metric 'accuracy: ([0-9.]+)'; or write it to metrics.json in $ASSAY_OUT_DIR.";
  const others = more.slice(0, MOST_SHOWN - 1).map(({ name }) => name);
  const also = others.length > 0 ? ` Also there: ${others.join(", ")}.` : "";
  // Names alone do for JSON, whose patterns nobody would want to type.
  const asked = first.line.startsWith("{") ? first.name : first.pattern;
  return `It printed ${JSON.stringify(first.line).replaceAll('\\"', '"')}: use --metric ${shellWord(asked)}.${also}`;
}

function printed({ studyDir }: PreparedStudy, id: string): string {
  return readOutput(`${runDir(studyDir, id)}/${RUN_FILES.stdout}`);
}
