import { existsSync, statSync } from "node:fs";
import { type Compared, compareArms } from "../analysis/compare/compare-arms.ts";
import { alsoSentences, headlineFor } from "../analysis/compare/headline.ts";
import { nextStep } from "../analysis/compare/next-step.ts";
import { qualify } from "../analysis/compare/qualify.ts";
import { suspectRuns } from "../analysis/suspect-runs.ts";
import { findStudy, listStudies } from "../archive/find-study.ts";
import type { ListedRuns } from "../archive/read-pairs.ts";
import { readStudyFile } from "../archive/read-records.ts";
import { isResult } from "../archive/read-result.ts";
import type { Decision } from "../core/decider.ts";
import { UserError } from "../core/errors.ts";
import type { RunRecord } from "../core/run.ts";
import type { StudyFile } from "../core/study-file.ts";
import { titleOf } from "../core/study-folder.ts";
import type { ArmSet } from "../design/arm-set.ts";
import { circumstancesOf, confoundersOf } from "../design/confounders.ts";
import { type Design, designOf } from "../design/design.ts";
import { decisionStanding } from "../design/locked.ts";
import { observe, scalarReader } from "../design/observe.ts";
import type { Standing } from "../design/standing.ts";
import { readJson } from "../host/files.ts";
import { metricReaders, type StudyRuns, unfoldStudies } from "../read/compare/metric-readers.ts";
import { askedOf, correctionFor } from "../read/compare/questions.ts";
import type { CompareRequest } from "../read/compare/request.ts";
import { currentRecords } from "../read/current-records.ts";
import { readDecision } from "../read/decision.ts";
import { launchableOf } from "../read/launchable.ts";
import { factsOf } from "../read/metric-info.ts";
import { noteLook, pastOf } from "../read/past.ts";
import { bareRecord } from "../read/run-sources.ts";

/** Compares studies, cells of one study, runs, or files (CSV, result.json, hyperfine's JSON): which is better, how sure. */
export async function compareStudies(
  names: readonly string[],
  asked: CompareRequest = {},
): Promise<ComparedStudies> {
  const kinds = new Set(names.map(kindOf));
  if (kinds.size > 1)
    throw new UserError("these can't be compared with each other", {
      expected: "studies, or CSV files, or exports of hyperfine",
      got: [...kinds].join(" and "),
      remedy: "`assay export STUDY` writes a study as CSV.",
    });
  const [kind = "study"] = kinds;
  const request = await withCovariate(asked, kind === "CSV" ? names : []);
  if (kind === "study") return compareRuns(names, request);
  if (kind === "JSON" && isResult(readJson(names[0]!))) return compareResults(names, request);
  const sets = await setsOfFiles(kind, names, request);
  const compared = compareArms(sets, { ...request, ...baselineOfFiles(sets, names, request) });
  return {
    ...{ ...compared, ...NOTHING_BESIDE, headlines: headlines(sets, compared) },
    next: nextStep(compared, null),
  };
}

async function withCovariate(request: CompareRequest, tables: readonly string[]): Promise<CompareRequest> {
  if (request.covariateFrom === undefined) return request;
  const { readCovariate } = await import("../read/compare/read-covariate.ts");
  return { ...request, covariate: readCovariate(request.covariateFrom, { tables, task: request.task }) };
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

/** A comparison, and what it comes to in a sentence for each metric where there is no baseline. */
export interface ComparedStudies extends Compared {
  headlines: string[];
  /** What the metrics of `analysis.also` say of the winner. */
  also: string[];
  /** What to do about it. */
  next: string[];
  /** Whether it was asked for before the runs; null where no single study was. */
  standing: Standing | null;
  /** Of a study that decides as it goes: what holds at every look, beside what holds for a fixed number of runs. */
  decision?: Decision & { standing: Standing | null };
}

const NOTHING_BESIDE = { headlines: [], also: [], standing: null };

async function compareRuns(names: readonly string[], request: CompareRequest): Promise<ComparedStudies> {
  const { listed } = request;
  if (names.length === 0 && !listed)
    throw new UserError("nothing to compare was named", {
      remedy: "Name two studies, or one with --by, or a CSV file.",
    });
  const dirs =
    names.length > 0 ? names.map((name) => findStudy(name, request.outRoot)) : listStudies(request.outRoot);
  const studies = dirs.map(
    (dir): StudyRuns => ({
      label: labelOf(dir, dirs),
      dir,
      study: readStudyFile(dir),
      records: currentRecords(dir),
    }),
  );
  if (listed) {
    const files = seriesFiles(listed);
    if (files.length > 0) studies.push({ label: "files", dir: "", study: undefined, records: files });
    const sets = await (await import("../read/compare/listed-arms.ts")).listedArms(studies, {
      ...request,
      listed,
    });
    const compared = compareArms(sets, { baseline: "control", ...request });
    return { ...compared, ...NOTHING_BESIDE, next: nextStep(compared, null) };
  }
  const {
    compared,
    design,
    headlines: told,
    also,
    standing,
    decision,
  } = await compareSources(studies, request);
  const asked = standing?.questions === undefined ? undefined : askedOf(studies, request);
  for (const { dir, records } of studies) noteLook(dir, records.length, asked);
  const isDone = decision?.isOver === true;
  const launchable = studies.length === 1 && !isDone ? launchableOf(studies[0]!, design) : null;
  const next = nextStep(compared, launchable);
  return { ...compared, headlines: told, also, standing, next, ...(decision && { decision }) };
}

/** What `compare`, the report and the page ask of studies: through one design, by one comparison. */
export async function compareSources(named: readonly StudyRuns[], given: CompareRequest) {
  const { studies, metrics } = await unfoldStudies(named, given);
  const margin =
    given.margin ?? (studies.length === 1 ? studies[0]!.study?.study.analysis.margin : undefined);
  const request = { ...given, ...(margin && { margin }) };
  const sources = studies.map(({ study, ...rest }) => ({
    ...rest,
    study: study?.study,
    past: study && pastOf(study, rest.dir),
  }));
  const design = designOf(sources, { ...request, pair: request.pair, asked: askedOf(named, given) });
  if (design.runs.length === 0) throw noRuns(studies, request);
  const readers = await metricReaders(studies, { ...request, ...(metrics && { metrics }) });
  const sets = observe(design, readers);
  const sides = studies.flatMap(({ study, records }) => (study ? [circumstancesOf(study, records)] : []));
  const asked = request.baseline === undefined ? design.baseline : (design.baseline ?? request.baseline);
  const compared = qualify(
    compareArms(sets, { ...withoutBaseline(request), ...(asked !== null && { baseline: asked }) }),
    confoundersOf(sides),
    studies.map(({ label }) => label),
  );
  const decision = isWholeAnswer(request) ? decidedBy(studies) : undefined;
  compared.warnings.push(
    ...design.cautions
      // Stopping and looking are part of the plan there.
      .filter(({ kind }) => !(decision?.isOver && (kind === "unfinished" || kind === "looks")))
      .map(({ kind, text }) => ({ kind, level: "warn" as const, text })),
  );
  compared.warnings.push(...suspectRuns(design.runs.map(({ record }) => record)));
  compared.warnings.push(...statisticNotes(readers));
  compared.progress = decision?.isOver ? null : design.progress;
  const file = studies.length === 1 ? studies[0]!.study : undefined;
  const isDefault = request.metrics === undefined && request.per === undefined && design.arms.length > 1;
  const also = isDefault ? await alsoOf(file, { design, sets, compared, request }) : [];
  const standings = readers.map(({ name }) => design.standing(name));
  const standing = standings.find((one) => one?.status === "exploratory") ?? standings[0] ?? null;
  compared.warnings.push(...correctionFor(standing, compared));
  const decided = decision && { ...decision, standing: decisionStanding(sources[0]?.past?.locked) };
  return { design, sets, compared, headlines: headlines(sets, compared), also, standing, decision: decided };
}

/** Whether it is the study's own question, of all of its runs. */
function isWholeAnswer({ by, where, per, pair, metrics }: CompareRequest): boolean {
  return [by, where, per, pair, metrics].every((asked) => asked === undefined);
}

function decidedBy(studies: readonly StudyRuns[]): Decision | undefined {
  const [only] = studies;
  return studies.length === 1 && only!.study ? readDecision(only!.study, only!.records) : undefined;
}

/** Which number of each run was compared, where the plain name of a metric stands for one of several. */
function statisticNotes(readers: readonly { why?: string }[]): Compared["warnings"] {
  return readers.flatMap(({ why }) =>
    why === undefined ? [] : [{ kind: "statistic", level: "info" as const, text: why }],
  );
}

interface Beside {
  design: Design;
  sets: readonly ArmSet[];
  compared: Compared;
  request: CompareRequest;
}

async function alsoOf(
  file: StudyFile | undefined,
  { design, sets, compared, request }: Beside,
): Promise<string[]> {
  const names = (file?.study.analysis.also ?? []).map(({ metric }) => metric);
  if (names.length === 0 || !sets[0]) return [];
  const told = headlineFor(sets[0], compared);
  const facts = await Promise.all(names.map((name) => factsOf(file, name)));
  const beside = { ...told, baseline: design.baseline, options: withoutBaseline(request) };
  return observe(design, facts.map(scalarReader)).flatMap((set) => alsoSentences(set, beside));
}

function withoutBaseline({ baseline: _, ...rest }: CompareRequest): CompareRequest {
  return rest;
}

/** Where there is no baseline, what is best on each metric; against a baseline the comparisons say it themselves. */
function headlines(sets: readonly ArmSet[], compared: Compared): string[] {
  if (compared.baseline !== null) return [];
  return sets.flatMap((set) => {
    const { sentence, first } = headlineFor(set, compared);
    return sentence === first?.sentence ? [] : [sentence];
  });
}

/** Two single starts are never sure; several of each are compared as such. */
async function compareResults(paths: readonly string[], request: CompareRequest): Promise<ComparedStudies> {
  const { moreStarts, resultArms, resultCircumstances } = await import("../read/compare/result-arms.ts");
  const results = resultArms(paths, request);
  const { sets, runs, notes, labels } = results;
  const found = compareArms(sets, { ...request, ...baselineOfFiles(sets, paths, request) });
  const isSingle = sets[0]!.arms.some(({ observations }) => observations.length < 2);
  const told = new Set(runs.flatMap(({ warnings = [] }) => warnings));
  const more = isSingle ? moreStarts(results) : undefined;
  found.warnings.push(
    ...(more === undefined
      ? []
      : [
          {
            ...{ kind: "one-start", level: "warn" as const },
            text: `A result file is one start of its program. Its iterations share that start, so they can't tell what differs from one start to the next (memory layout, what else the machine did) from what differs between the arms. ${more}`,
          },
        ]),
    ...notes.map((text) => ({ kind: "statistic", level: "info" as const, text })),
    ...[...told].map((text) => ({
      ...{ kind: "of-run", level: "warn" as const },
      text: `Of a run itself: ${text}.`,
    })),
  );
  const compared = qualify(found, confoundersOf(runs.map(resultCircumstances)), [...new Set(labels)]);
  return {
    ...{ ...compared, ...NOTHING_BESIDE, headlines: headlines(sets, compared) },
    next: more === undefined ? nextStep(compared, null) : [more],
  };
}

type Kind = "study" | "CSV" | "JSON";

function kindOf(name: string): Kind {
  if (!existsSync(name) || statSync(name).isDirectory())
    return /\.([ct]sv|jsonl)$/.test(name) ? "CSV" : "study";
  if (name.endsWith(".json")) return "JSON";
  if (/\.([ct]sv|txt|jsonl)$/.test(name)) return "CSV";
  throw new UserError(name, {
    expected:
      "a study's results (its name or folder), a .csv or .jsonl file, a result.json or an export of hyperfine",
    remedy: "A study file is run first: `assay run FILE`.",
  });
}

async function setsOfFiles(
  kind: "CSV" | "JSON",
  names: readonly string[],
  request: CompareRequest,
): Promise<ArmSet[]> {
  if (kind === "CSV") return (await import("../read/compare/csv-arms.ts")).csvArms(names, request);
  return (await import("../read/compare/hyperfine-arms.ts")).hyperfineArms(names);
}

/** Files that were named as runs, as any program writes them. */
function seriesFiles({ pairs, control, candidate }: ListedRuns): RunRecord[] {
  const names = [...pairs.flatMap((pair) => [pair.control, pair.candidate]), ...control, ...candidate];
  return [...new Set(names)].filter((name) => name.endsWith(".jsonl") && existsSync(name)).map(bareRecord);
}

function labelOf(dir: string, dirs: readonly string[]): string {
  const name = titleOf(dir);
  return dirs.filter((other) => titleOf(other) === name).length > 1 ? dir : name;
}

function noRuns(studies: readonly StudyRuns[], { where }: CompareRequest): UserError {
  const names = studies.map(({ label }) => label).join(" and ");
  return new UserError(`${names} has no runs${where === undefined ? "" : ` for which ${where} holds`}`, {
    remedy: "`assay status` says how far a study is.",
  });
}
