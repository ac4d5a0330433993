import { basename } from "node:path";
import { ArmBook } from "../../analysis/compare/arm-book.ts";
import { conclude } from "../../analysis/compare/conclude.ts";
import { isResult } from "../../archive/read-result.ts";
import { UserError } from "../../core/errors.ts";
import type { Warning } from "../../core/warning.ts";
import type { ArmSet } from "../../design/arm-set.ts";
import { confoundersOf } from "../../design/confounders.ts";
import { metricFacts } from "../../design/metric.ts";
import { readJson } from "../../host/files.ts";
import type { ComparedStudies } from "./compare-runs.ts";
import type { CompareRequest } from "./request.ts";

/** Compares what is in tables, in exports of hyperfine or in result files. */
export async function compareFiles(
  kind: "CSV" | "JSON",
  names: readonly string[],
  request: CompareRequest,
): Promise<ComparedStudies> {
  if (kind === "JSON" && isResult(readJson(names[0]!))) return compareResults(names, request);
  const sets = await setsOfFiles(kind, names, request);
  const options = { ...request, ...baselineOfFiles(sets, names, request) };
  const { compared, ...told } = conclude(sets, { options });
  return { ...compared, ...told, standing: null };
}

/** Each file is an arm, and the first is what the others are compared with. */
function baselineOfFiles(
  sets: readonly ArmSet[],
  names: readonly string[],
  { baseline, by }: CompareRequest,
): { baseline?: string } {
  if (baseline !== undefined) return { baseline };
  const first = sets[0]?.arms[0]?.name;
  return names.length > 1 && !by && first !== undefined ? { baseline: first } : {};
}

/** Two single starts are never sure; several of each are compared as such. */
async function compareResults(paths: readonly string[], request: CompareRequest): Promise<ComparedStudies> {
  const { moreStarts, resultArms, resultCircumstances } = await import("./result-arms.ts");
  const results = resultArms(paths, request);
  const { sets, runs, notes, labels } = results;
  const isSingle = sets[0]!.arms.some(({ observations }) => observations.length < 2);
  const ofRuns = new Set(runs.flatMap(({ warnings = [] }) => warnings));
  const more = isSingle ? moreStarts(results) : undefined;
  const said: Warning[] = [
    ...(more === undefined
      ? []
      : [
          {
            ...{ kind: "one-start", level: "warn" as const },
            text: `A result file is one start of its program. Its iterations share that start, so they can't tell what differs from one start to the next (memory layout, what else the machine did) from what differs between the arms. ${more}`,
          },
        ]),
    ...notes.map((text) => ({ kind: "statistic", level: "info" as const, text })),
    ...[...ofRuns].map((text) => ({
      ...{ kind: "of-run", level: "warn" as const },
      text: `Of a run itself: ${text}.`,
    })),
  ];
  const { compared, ...told } = conclude(sets, {
    options: { ...request, ...baselineOfFiles(sets, paths, request) },
    about: {
      confounders: confoundersOf(runs.map(resultCircumstances)),
      names: [...new Set(labels)],
      notes: said,
    },
  });
  return { ...compared, ...told, ...(more !== undefined && { next: [more] }), standing: null };
}

async function setsOfFiles(
  kind: "CSV" | "JSON",
  names: readonly string[],
  request: CompareRequest,
): Promise<ArmSet[]> {
  if (kind === "CSV") return (await import("./csv-arms.ts")).csvArms(names, request);
  return hyperfineArms(names);
}

/** Makes arms of hyperfine's exports: its commands; a command of several files is told apart by the file. */
function hyperfineArms(paths: readonly string[]): ArmSet[] {
  const book = new ArmBook([metricFacts("time_s", { asked: { goal: "minimize" } })]);
  const files = paths.map((path) => ({ path, results: readHyperfine(path) }));
  const commands = files.flatMap(({ results }) => results.map(({ command }) => command));
  const isTwice = (command: string) => commands.filter((other) => other === command).length > 1;
  for (const { path, results } of files) {
    for (const { command, times, exitCodes } of results) {
      const arm = isTwice(command) ? `${command} (${basename(path, ".json")})` : command;
      for (const [i, time] of times.entries()) {
        const isFailed = (exitCodes[i] ?? 0) !== 0;
        const place = { id: `run ${i + 1} of ${arm}`, arm, part: null, unit: null };
        if (isFailed) book.add({ ...place, owner: "agent" }, [null]);
        else book.add(place, [time]);
      }
    }
  }
  return book.sets({ keys: [], hasRollouts: false, isAsked: false });
}

/** One command of a hyperfine export: seconds of each run, and which ended well. */
interface HyperfineResult {
  command: string;
  times: number[];
  exitCodes: (number | null)[];
}

/** Reads what `hyperfine --export-json` writes. */
function readHyperfine(path: string): HyperfineResult[] {
  const results = readJson<{ results?: unknown } | null>(path)?.results;
  const isExport =
    Array.isArray(results) &&
    results.every(({ command, times }) => typeof command === "string" && Array.isArray(times));
  if (!isExport) {
    throw new UserError(path, {
      expected: "an export of hyperfine: results with a command and times",
      got: Array.isArray(results) ? "results without them" : "other JSON",
      remedy: "hyperfine keeps single times with --export-json.",
    });
  }
  return (results as Record<string, unknown>[]).map((result) => ({
    command: String(result.command),
    times: (result.times as unknown[]).map(Number),
    exitCodes: Array.isArray(result.exit_codes) ? (result.exit_codes as (number | null)[]) : [],
  }));
}
