import { ArmBook, type Layout } from "../../analysis/compare/arm-book.ts";
import type { ArmSet } from "../../analysis/compare/observation.ts";
import { isRolloutStudy, shareRange } from "../../analysis/rollouts/count-failures.ts";
import { UserError } from "../../core/errors.ts";
import { parseExpression } from "../../core/expression.ts";
import type { RunRecord } from "../../core/run.ts";
import type { StudyFile } from "../../core/study-file.ts";
import { columnOf } from "./column.ts";
import { metricsOf } from "./metrics-of-runs.ts";
import type { CompareRequest } from "./request.ts";

/** A study's runs, under the name that it has on the command line. */
export interface StudyRuns {
  label: string;
  dir: string;
  study: StudyFile | undefined;
  records: RunRecord[];
}

interface Placed {
  record: RunRecord;
  scope: Record<string, string>;
  arm: string;
  dir: string;
}

/** Makes arms of studies: each study is one, or the values of parameters within one study are. */
export async function studyArms(studies: readonly StudyRuns[], request: CompareRequest): Promise<ArmSet[]> {
  const by = studies.length > 1 ? [] : (request.by ?? defaultBy(studies[0]!));
  if (studies.length > 1 && request.by)
    throw new UserError("--by", { expected: "one study", got: `${studies.length}, which are the arms` });
  const runs = studies.flatMap((study) => placed(study, by, request));
  if (runs.length === 0) throw noRuns(studies, request);
  const part = request.per === undefined ? undefined : columnOf(request.per, namesOf(runs), "--per");
  const layout = layoutOf(runs, { by, per: part?.name, request, study: studies[0]!.study });
  const metrics = await metricsOf(studies, request);
  const isOfRollouts = studies.every(({ study }) => study && isRolloutStudy(study.study));
  const book = new ArmBook(
    isOfRollouts ? metrics.map((metric) => ({ ...metric, range: shareRange(metric.name) })) : metrics,
  );
  for (const run of runs) {
    const { record, scope, arm, dir } = run;
    const { status, owner } = record.outcome;
    const isFailed = status !== "ok";
    const unit = layout.keys.length === 0 ? null : unitText(layout.keys, scope);
    const cluster = layout.clusterBy === undefined ? {} : { cluster: scope[layout.clusterBy] ?? "" };
    const fault = isFailed ? ({ owner: owner ?? (status === "failed" ? "agent" : "unknown") } as const) : {};
    book.add(
      {
        id: record.id,
        arm,
        part: part ? part.label(scope[part.name] ?? "") : null,
        unit,
        ...cluster,
        ...fault,
      },
      metrics.map(({ read }) => (isFailed ? null : read(record, dir))),
    );
  }
  const drawn = isOfRollouts ? { ...layout, drawsRollouts: true } : layout;
  return book.sets(drawn, inPlanOrder(book.arms, by, studies));
}

/** Axes are named by the study's baseline, or are the variants, or the only axis. */
function defaultBy({ study, label }: StudyRuns): string[] {
  const axes = study?.study.axes.flatMap(({ names }) => names) ?? [];
  const baseline = Object.keys(study?.study.analysis.baseline ?? {});
  if (baseline.length > 0) return baseline;
  if ((study?.study.variants.length ?? 0) > 1) return ["variant"];
  if (axes.length === 1) return axes;
  throw new UserError(`what is to be compared in ${label}?`, {
    expected: `a second study, or --by ${axes.length > 0 ? axes.join(" or ") : "NAME"}`,
    remedy: "Or name the baseline under analysis: in the study file.",
  });
}

function placed({ label, dir, records, study }: StudyRuns, by: string[], request: CompareRequest): Placed[] {
  const known = [
    ...new Set(["seed", "variant", "task", "repeat", ...records.flatMap((r) => Object.keys(r.params))]),
  ];
  const columns = by.map((spec) => columnOf(spec, known, "--by"));
  const condition = request.where === undefined ? undefined : parseExpression(request.where, known);
  const chosen = condition
    ? records.filter(({ params, variant, seed, task, repeat }) =>
        condition.holds({ ...params, variant, seed, task, repeat }),
      )
    : records;
  const name = label || study?.name || dir;
  return chosen.map((record) => {
    const scope = scopeOf(record);
    const values = columns.map((column) => column.of(scope[column.name] ?? "(none)"));
    const arm =
      columns.length === 0
        ? name
        : columns.length === 1
          ? values[0]!
          : columns.map((column, i) => `${column.name}=${values[i]}`).join(", ");
    return { record, scope, arm, dir };
  });
}

function scopeOf({ params, seed, variant, task, repeat }: RunRecord): Record<string, string> {
  const scope: Record<string, string> = { seed: String(seed), variant, repeat: String(repeat) };
  if (task !== null) scope.task = task;
  for (const [name, value] of Object.entries(params))
    scope[name] = typeof value === "string" ? value : JSON.stringify(value);
  return scope;
}

function namesOf(runs: readonly Placed[]): string[] {
  return [...new Set(runs.flatMap(({ scope }) => Object.keys(scope)))];
}

interface Question {
  by: string[];
  per: string | undefined;
  request: CompareRequest;
  study: StudyFile | undefined;
}

/** Units are what varies within an arm: the task, the seed, and the axes that are not compared. */
function layoutOf(runs: readonly Placed[], { by, per, request, study }: Question): Layout {
  const taken = new Set([...by.map((spec) => spec.split("~")[0]!), per, "repeat"]);
  const varying = variesWithinArms(runs).filter((name) => !taken.has(name));
  const axes = varying.filter((name) => name !== "seed" && name !== "task");
  const hasTasks = runs.some(({ record }) => record.task !== null);
  const declared = study?.study.analysis.pairBy?.filter(
    (name) => name === "seed" || (name === "task" && hasTasks) || axes.includes(name),
  );
  const whole = [...(hasTasks ? ["task"] : []), "seed", ...axes];
  if (request.pair) for (const name of request.pair) columnOf(name, namesOf(runs), "--pair");
  const keys = request.pair ?? (declared ? [...new Set([...declared, ...axes])] : whole);
  const omitted = whole.filter(
    (name) => !keys.includes(name) && (name !== "seed" || varying.includes("seed")),
  );
  const unnamed = omitted.filter((name) => name !== "seed");
  // One seed done again and again: its repeats are all that there is, and they have no partners.
  const isOneUnit = !request.pair && new Set(runs.map(({ scope }) => unitText(keys, scope))).size === 1;
  if (isOneUnit) return { keys: [], hasRollouts: false, isAsked: false, clusterBy: undefined };
  return {
    keys,
    hasRollouts: unnamed.length === 0,
    isAsked: request.pair !== undefined,
    unnamed,
    clusterBy: keys.length > 1 ? ["task", "seed"].find((name) => keys.includes(name)) : undefined,
  };
}

/** What differs between studies, or arms, but not within one is what is compared, not what pairs. */
function variesWithinArms(runs: readonly Placed[]): string[] {
  const first = new Map<string, Record<string, string>>();
  const varying = new Set<string>();
  for (const { arm, scope } of runs) {
    const seen = first.get(arm);
    if (!seen) {
      first.set(arm, scope);
      continue;
    }
    for (const name in scope) if (scope[name] !== seen[name]) varying.add(name);
  }
  return [...varying];
}

function unitText(keys: readonly string[], scope: Record<string, string>): string {
  if (keys.length === 1) return scope[keys[0]!] ?? "";
  return keys.map((key) => `${key} ${scope[key] ?? ""}`).join(", ");
}

function inPlanOrder(arms: string[], by: readonly string[], studies: readonly StudyRuns[]): string[] {
  const study = studies[0]!.study?.study;
  if (studies.length > 1 || by.length !== 1 || !study) return arms;
  const axis = study.axes.find(({ names }) => names.includes(by[0]!));
  const values = axis
    ? axis.rows.map((row) => row[axis.names.indexOf(by[0]!)]!)
    : by[0] === "variant"
      ? study.variants.map(({ name }) => name)
      : [];
  const rank = new Map(
    values.map((value, i) => [typeof value === "string" ? value : JSON.stringify(value), i]),
  );
  return arms.toSorted((a, b) => (rank.get(a) ?? 1e9) - (rank.get(b) ?? 1e9));
}

function noRuns(studies: readonly StudyRuns[], { where }: CompareRequest): UserError {
  const names = studies.map(({ label }) => label).join(" and ");
  return new UserError(`${names} has no runs${where === undefined ? "" : ` for which ${where} holds`}`, {
    remedy: "`assay status` says how far a study is.",
  });
}
