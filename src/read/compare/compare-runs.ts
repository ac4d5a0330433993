import { existsSync } from "node:fs";
import type { Compared } from "../../analysis/compare/compare-arms.ts";
import { type Conclusion, conclude } from "../../analysis/compare/conclude.ts";
import type { ListedRuns } from "../../archive/read-pairs.ts";
import { currentRecords, findStudy, listStudies, readStudyFile } from "../../archive/read-records.ts";
import type { Decision } from "../../core/decider.ts";
import { UserError } from "../../core/errors.ts";
import type { RunRecord } from "../../core/run.ts";
import { doomedText } from "../../core/stall.ts";
import { type StudyFile, titleOf } from "../../core/study-folder.ts";
import type { ArmSet } from "../../design/arm-set.ts";
import { type Confounder, circumstancesOf, confoundersOf } from "../../design/confounders.ts";
import { type Design, designOf } from "../../design/design.ts";
import { decisionStanding } from "../../design/locked.ts";
import { observe, scalarReader } from "../../design/observe.ts";
import type { Standing } from "../../design/standing.ts";
import { readDecision } from "../decision.ts";
import { launchableOf } from "../launchable.ts";
import { factsOf } from "../metric-info.ts";
import { noteLook, pastOf } from "../past.ts";
import { bareRecord } from "../run-sources.ts";
import { metricReaders, type StudyRuns, unfoldStudies } from "./metric-readers.ts";
import { askedOf } from "./questions.ts";
import type { CompareRequest } from "./request.ts";

/** A comparison, and what it comes to. */
export interface ComparedStudies extends Compared, Omit<Conclusion, "compared"> {
  /** Whether it was asked for before the runs; null where no single study was. */
  standing: Standing | null;
  /** Of a study that decides as it goes: what holds at every look, beside what holds for a fixed number of runs. */
  decision?: Decision & { standing: Standing | null };
}

/** Compares studies, cells of one study, or runs by their names. */
export async function compareRuns(
  names: readonly string[],
  request: CompareRequest,
): Promise<ComparedStudies> {
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
    const sets = await (await import("./listed-arms.ts")).listedArms(studies, {
      ...request,
      listed,
    });
    const { compared, ...told } = conclude(sets, { options: { baseline: "control", ...request } });
    return { ...compared, ...told, standing: null };
  }
  const { compared, ...told } = await compareSources(studies, request);
  const asked = told.standing?.questions === undefined ? undefined : askedOf(studies, request);
  for (const { dir, records } of studies) noteLook(dir, records.length, asked);
  return { ...compared, ...told };
}

/** What `compare`, the report and the page ask of studies: through one design, by one comparison. */
export async function compareSources(
  named: readonly StudyRuns[],
  given: CompareRequest,
): Promise<Conclusion & Pick<ComparedStudies, "standing" | "decision">> {
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
  if (design.arms.length < 2 && design.absent.length > 0) throw oneArmYet(studies[0]!, design);
  const readers = await metricReaders(studies, { ...request, ...(metrics && { metrics }) });
  const sets = observe(design, readers);
  const asked = request.baseline === undefined ? design.baseline : (design.baseline ?? request.baseline);
  const decision = isWholeAnswer(request) ? decidedBy(studies) : undefined;
  const standings = readers.map(({ name }) => design.standing(name));
  const standing = standings.find((one) => one?.status === "exploratory") ?? standings[0] ?? null;
  const isOver = decision?.isOver === true;
  const isDefault = request.metrics === undefined && request.per === undefined && design.arms.length > 1;
  const only = studies.length === 1 ? studies[0]! : undefined;
  const { baseline: _, ...options } = request;
  const { compared, ...told } = conclude(sets, {
    options: { ...options, ...(asked !== null && { baseline: asked }) },
    about: {
      confounders: confoundersAmong(studies),
      names: studies.map(({ label }) => label),
      // Stopping and looking are part of the plan of a study that decides as it goes.
      cautions: design.cautions.filter(
        ({ kind }) => !(isOver && (kind === "unfinished" || kind === "looks")),
      ),
      records: design.runs.map(({ record }) => record),
      statistics: readers.flatMap(({ why }) => why ?? []),
      standing,
    },
    also: { sets: isDefault ? await alsoSets(only?.study, design) : [], baseline: design.baseline },
    study: only && !isOver ? launchableOf(only, design) : null,
  });
  for (const { study, records } of studies) {
    const text = study?.study.limits.doomed && doomedText(records, study.study.limits.doomed);
    if (text !== undefined) compared.warnings.push({ kind: "doomed", level: "info", text });
  }
  return {
    ...told,
    compared: { ...compared, progress: isOver ? null : design.progress },
    standing,
    ...(decision && {
      decision: { ...decision, standing: decisionStanding(sources[0]?.past?.locked) },
    }),
  };
}

/** What else differs between studies than what was asked. */
function confoundersAmong(studies: readonly StudyRuns[]): Confounder[] {
  if (studies.length < 2) return [];
  return confoundersOf(
    studies.flatMap(({ study, records }) => (study ? [circumstancesOf(study, records)] : [])),
  );
}

/** Whether it is the study's own question, of all of its runs. */
function isWholeAnswer({ by, where, per, pair, metrics }: CompareRequest): boolean {
  return [by, where, per, pair, metrics].every((asked) => asked === undefined);
}

function decidedBy(studies: readonly StudyRuns[]): Decision | undefined {
  const [only] = studies;
  return studies.length === 1 && only!.study ? readDecision(only!.study, only!.records) : undefined;
}

/** The metrics of `analysis.also`. */
async function alsoSets(file: StudyFile | undefined, design: Design): Promise<ArmSet[]> {
  const names = (file?.study.analysis.also ?? []).map(({ metric }) => metric);
  const facts = await Promise.all(names.map((name) => factsOf(file, name)));
  return names.length === 0 ? [] : observe(design, facts.map(scalarReader));
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

function oneArmYet({ label }: StudyRuns, { absent, progress }: Design): UserError {
  return new UserError(`${label} has runs of one arm only so far`, {
    expected: "two or more to compare",
    got: `${progress!.done} of ${progress!.planned} planned runs, and none with ${absent.join(" or ")}`,
    remedy: "Finish the study first: the command that started it resumes it.",
  });
}

function noRuns(studies: readonly StudyRuns[], { where }: CompareRequest): UserError {
  const names = studies.map(({ label }) => label).join(" and ");
  return new UserError(`${names} has no runs${where === undefined ? "" : ` for which ${where} holds`}`, {
    remedy: "`assay status` says how far a study is.",
  });
}
