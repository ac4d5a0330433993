import { constants, copyFileSync, mkdirSync } from "node:fs";
import { basename } from "node:path";
import { UserError } from "../../core/errors.ts";
import { canonicalJson, shortHash } from "../../core/hash.ts";
import { OK, type RunRecord } from "../../core/run.ts";
import { runOutDir } from "../../core/study-folder.ts";
import { fillLabel } from "../../plan/identify.ts";
import { IMPORT_PROGRAM, importLabel } from "./describe-import.ts";
import type { NumberedTrial } from "./number-repeats.ts";
import { type ReadTrial, UNKNOWN } from "./read-trials.ts";

/** Names by which the page knows what an agent did. */
const TRAJECTORY_NAMES = /^trajectory[\w.-]*\.json$|\.traj$|\.traj\.json$/;

/** A trial is known by what its tool calls it, not by its number here. */
export function identify(
  read: ReadTrial,
  set: Readonly<Record<string, string>> = {},
): ReadTrial & Pick<NumberedTrial, "hash" | "params"> {
  const { agent, model, key, params } = read.trial;
  return {
    ...read,
    hash: shortHash(canonicalJson([IMPORT_PROGRAM, read.format, key])),
    params: { ...(params ?? { agent: agent ?? UNKNOWN, model: model ?? UNKNOWN }), ...set },
  };
}

const FAILED = { score: 0, solved: 0 };

/** As leaderboards count: a try without a verdict has failed. Its label `counted` says why it had none. */
export function countAsFailed(record: RunRecord): RunRecord {
  const { metrics, outcome, labels, params } = record;
  if (!("agent" in params) || (metrics.score ?? null) !== null || outcome.status === "cancelled")
    return record;
  const counted = `failed: ${outcome.reason ?? "no verdict"}`;
  return { ...record, outcome: OK, metrics: { ...metrics, ...FAILED }, labels: { ...labels, counted } };
}

/** The same of the tasks that others tried and an arm did not. */
export function absentRecords(records: readonly RunRecord[]): RunRecord[] {
  const tasks = [...new Set(records.flatMap(({ task, params }) => ("agent" in params && task) || []))];
  const arms = new Map(
    records.filter(({ params }) => "agent" in params).map(({ params }) => [canonicalJson(params), params]),
  );
  const tried = new Set(records.map(({ params, task }) => `${canonicalJson(params)}\0${task}`));
  return [...arms].flatMap(([arm, params]) =>
    tasks
      .filter((task) => !tried.has(`${arm}\0${task}`))
      .map((task): RunRecord => {
        const hash = shortHash(canonicalJson([IMPORT_PROGRAM, ABSENT, params, task]));
        const label = fillLabel(importLabel(params), { ...knownOf(params), task, seed: 1 }).slice(0, 96);
        return {
          ...{ id: `${label}__${hash}`, params, variant: "baseline", flags: [], seed: 1, task, repeat: 0 },
          ...{ program: IMPORT_PROGRAM, attempt: 1, outcome: OK, metrics: FAILED, startedAtMs: 0, wallMs: 0 },
          labels: { format: ABSENT, exit: ABSENT, counted: "failed: no result" },
        };
      }),
  );
}

const ABSENT = "absent";

/** A result of an arm and a task that were counted as failed would stand beside that failure. */
export function refuseAfterCounting(trials: readonly NumberedTrial[], known: Iterable<RunRecord>): void {
  const absent = new Set<string>();
  for (const { labels, params, task } of known)
    if (labels?.format === ABSENT) absent.add(`${canonicalJson(params)}\0${task}`);
  const late = trials.find(({ params, trial }) => absent.has(`${canonicalJson(params)}\0${trial.task}`));
  if (late)
    throw new UserError(`${late.trial.task} was counted as failed, since there was no result of it`, {
      remedy:
        "Import all results at once, or everything before --missing failed, into a study of another --name.",
    });
}

export function recordOf(
  { format, trial, writtenAtMs, hash, params, rollout }: NumberedTrial,
  before: RunRecord | undefined,
): RunRecord {
  const { task, outcome, metrics, labels, startedAtMs, wallMs, costUsd, trajectory } = trial;
  const label = fillLabel(importLabel(params), { ...knownOf(params), task, seed: rollout }).slice(0, 96);
  return {
    id: `${label}__${hash}`,
    params,
    ...{ variant: "baseline", flags: [], seed: rollout, task, repeat: 0 },
    program: IMPORT_PROGRAM,
    attempt: (before?.attempt ?? 0) + 1,
    outcome,
    metrics,
    labels: { format, ...labels },
    startedAtMs: startedAtMs ?? writtenAtMs,
    wallMs: wallMs ?? 0,
    ...(costUsd !== undefined && { costUsd }),
    ...(trajectory !== undefined && { files: [fileName(trajectory)] }),
  };
}

/** What nobody knows has no place in the name of a folder. */
function knownOf(params: RunRecord["params"]): RunRecord["params"] {
  const entries = Object.entries(params).map(([name, value]) => [name, value === UNKNOWN ? "" : value]);
  return Object.fromEntries(entries);
}

/** Whether a record says what another one says; how often it was read, and when its file was written, do not count. */
export function saysTheSame(a: RunRecord, b: RunRecord): boolean {
  const said = ({ attempt: _, startedAtMs: __, ...record }: RunRecord) => canonicalJson(record);
  return said(a) === said(b);
}

/** Copies what the agent did into the run's folder, so that the study stands for itself. */
export function keepTrajectory(studyDir: string, { id }: RunRecord, path: string): void {
  const dir = runOutDir(studyDir, id);
  mkdirSync(dir, { recursive: true });
  copyFileSync(path, `${dir}/${fileName(path)}`, constants.COPYFILE_FICLONE);
}

function fileName(path: string): string {
  const name = basename(path);
  return TRAJECTORY_NAMES.test(name) ? name : `trajectory-${name}`;
}
