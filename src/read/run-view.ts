import { lstatSync } from "node:fs";
import { basename, dirname } from "node:path";
import { hasVerdicts, rolloutRun } from "../analysis/solving/rollout-run.ts";
import { type Caps, capTrajectory } from "../analysis/trajectories/cap-trajectory.ts";
import { readLateAttempts } from "../archive/read-records.ts";
import { parseTrajectory } from "../archive/trajectories/read-trajectory-file.ts";
import { shellWord } from "../core/escape.ts";
import type { Params } from "../core/params.ts";
import type { RunRecord } from "../core/run.ts";
import { RUN_FILES, type StudyFile } from "../core/study-folder.ts";
import type { RunText, RunView, Tail, TrajectoryView } from "../reporters/study-view.ts";
import { readSteps } from "./read-curves.ts";
import { readInside, runFolder } from "./read-inside.ts";
import { readMeasured } from "./read-measured.ts";
import { runnerOf } from "./runner-of.ts";

const MOST_META_BYTES = 1 << 20;

export interface RunViewOptions {
  study: StudyFile | undefined;
  unitOf(metric: string): string | null;
  mostSteps?: number;
  tailBytes?: number;
  trajectoryRoom?: TrajectoryRoom;
  textRoom?: { bytes: number; most: number };
}

const MOST_STEPS = 2000;
const TAIL_BYTES = 16_000;
const TRAJECTORY_ROOM: TrajectoryRoom = { textChars: 8000, mostTurns: 1000, most: 50 };
const TEXT_ROOM = { bytes: 200_000, most: 40 };
const MOST_FILES = 500;
const OWN_FILES = [RUN_FILES.meta, RUN_FILES.stdout, RUN_FILES.stderr, RUN_FILES.series];

/** One run in full, from its record and its folder. */
export function runViewOf(studyDir: string, record: RunRecord, options: RunViewOptions): RunView {
  const { unitOf } = options;
  const dir = runFolder(studyDir, record.id);
  const { id, params, variant, flags, seed, task, repeat, outcome, attempt, startedAtMs, wallMs } = record;
  return {
    ...{ id, params, variant, flags, seed, task, repeat, outcome, attempt, startedAtMs, wallMs },
    earlier: otherTries(studyDir, record),
    metrics: Object.entries(record.metrics).map(([name, value]) => ({ name, value, unit: unitOf(name) })),
    labels: record.labels ?? {},
    warnings: record.warnings ?? [],
    costUsd: record.costUsd ?? null,
    ...verdictOf(record, hasVerdicts(options.study?.metrics)),
    ...filesAndOutput(dir, { id, own: record.files ?? [] }, options),
  };
}

/** Of a run that is one try at a task: whether it solved it. */
function verdictOf(record: RunRecord, isJudged: boolean): Pick<RunView, "isSolved"> {
  const rate = record.metrics.solve_rate;
  if (!isJudged) return rate === 0 || rate === 1 ? { isSolved: rate === 1 } : {};
  const { solved } = rolloutRun(record, "");
  return { isSolved: solved === null ? null : solved === 1 };
}

/** Tries beside the recorded one: those that were lost or failed before it, and those that came too late. */
function otherTries(studyDir: string, { id, earlier = [] }: RunRecord): RunView["earlier"] {
  const late = readLateAttempts(studyDir, id);
  return [
    ...earlier.map(({ reason, wallMs }) => ({ reason, wallMs })),
    ...late.map(({ worker, outcome, wallMs }) => ({
      reason: `${outcome.status} on ${worker}, after this had been recorded`,
      wallMs,
    })),
  ];
}

type FolderView = Pick<
  RunView,
  | "series"
  | "stepsAre"
  | "profile"
  | "resources"
  | "stdout"
  | "stderr"
  | "files"
  | "texts"
  | "command"
  | "trajectories"
>;

/** What a run's folder tells, also while the run is under way. */
function filesAndOutput(
  dir: string | undefined,
  { id, own }: { id: string; own: readonly string[] },
  {
    study,
    mostSteps = MOST_STEPS,
    tailBytes = TAIL_BYTES,
    trajectoryRoom = TRAJECTORY_ROOM,
    textRoom = TEXT_ROOM,
  }: RunViewOptions,
): FolderView {
  const files = dir === undefined ? [] : filesOf(dir, own);
  const trajectories = dir === undefined ? undefined : readRunTrajectories(dir, files, trajectoryRoom);
  return {
    series: dir === undefined ? null : readSteps(dir, mostSteps),
    ...((study?.study.iterations?.measured ?? 1) > 1 && { stepsAre: "iterations" as const }),
    ...(dir !== undefined && readMeasured(dir)),
    stdout: tailOf(dir, RUN_FILES.stdout, tailBytes),
    stderr: tailOf(dir, RUN_FILES.stderr, tailBytes),
    files,
    texts: dir === undefined ? [] : textsOf(dir, files, textRoom),
    command: commandFor(study, id),
    ...(trajectories && { trajectories }),
  };
}

function tailOf(dir: string | undefined, name: string, bytes: number): Tail | null {
  const read = dir === undefined ? undefined : readInside(dir, name, { last: bytes });
  return read && read.bytes > 0 ? { text: read.text, bytes: read.bytes, isCut: read.isCut } : null;
}

/** The first that fits says what a file is. */
const TEXT_KINDS: [RegExp, RunText["kind"]][] = [
  [/\.(patch|diff)$/i, "patch"],
  [/(^|\/)verifier\/|(^|\/)(test|grad|junit|pytest)[^/]*\.(txt|log|out|xml)$/i, "tests"],
  [/\.(log|txt|out|err|md)$/i, "log"],
];

function textsOf(
  dir: string,
  files: RunView["files"],
  { bytes, most }: { bytes: number; most: number },
): RunText[] {
  const own = files.filter(({ path }) => path.startsWith(`${RUN_FILES.out}/`));
  const named = TEXT_KINDS.flatMap(([pattern, kind], i) =>
    own
      .filter(({ path }) => TEXT_KINDS.findIndex(([first]) => first.test(path)) === i && pattern.test(path))
      .map(({ path }) => ({ path, kind })),
  );
  return named.slice(0, most).flatMap(({ path, kind }) => {
    const read = readInside(dir, path, kind === "patch" ? { first: bytes } : { last: bytes });
    return read ? [{ path, kind, ...read }] : [];
  });
}

function filesOf(dir: string, own: readonly string[]): RunView["files"] {
  return [...OWN_FILES, ...own.map((path) => `out/${path}`)].slice(0, MOST_FILES).flatMap((path) => {
    const stat = path.split("/").includes("..")
      ? undefined
      : lstatSync(`${dir}/${path}`, { throwIfNoEntry: false });
    return stat?.isFile() ? [{ path, bytes: stat.size }] : [];
  });
}

/** Options of a launch that say what to run again are not those of the next one. */
const DROPPED = /^--(fresh|resume|ui|open|quiet|json)$|^-q$/;
const WITH_VALUE = /^--(rerun|only)$/;

/** The last launch's own words, for this run alone: what they override (a name, parameters) makes the run what it is. */
export function commandFor(study: StudyFile | undefined, id: string): string {
  const words = study ? (launchWords(study)?.words ?? [study.spec.path]) : ["STUDY_FILE"];
  return ["assay run", ...words.map(shellWord), "--rerun", shellWord(id)].join(" ");
}

/**
 * What the last launch was asked for, without what was about that launch alone, and the folder that its words are
 * about; undefined where they can't be told.
 */
export function launchWords({ spec, launches }: StudyFile): { words: string[]; cwd: string } | undefined {
  const words = launches.at(-1)?.command.split(" ") ?? [];
  if (words[0] !== "assay" || words[1] !== "run") return undefined;
  const kept: string[] = [];
  for (let i = 2; i < words.length; i++) {
    const word = words[i]!;
    if (WITH_VALUE.test(word)) i++;
    else if (!DROPPED.test(word) && !/^--(rerun|only)=/.test(word)) kept.push(word);
  }
  const at = kept.findIndex((word) => basename(word) === basename(spec.path));
  // Words were joined without quotes: where one held a space or a quote, they can't be taken apart again.
  if (at < 0 || !kept.every((word) => shellWord(word) === word)) return undefined;
  const file = kept[at]!.replace(/^(\.\/)+/, "");
  const cwd = spec.path.endsWith(`/${file}`) ? spec.path.slice(0, -file.length) : dirname(spec.path);
  kept[at] = spec.path;
  return { words: kept, cwd };
}

interface TrajectoryRoom extends Caps {
  /** So many trajectories are shown; they share the room for texts. */
  most: number;
}

const NAMES = /^out\/(?:.*\/)?(?:trajectory[\w.-]*\.json|[^/]+\.traj|[^/]+\.traj\.json)$/;
const MOST_BYTES = 50_000_000;
const LEAST_CHARS = 400;

/** Whether a file of a run is named as agents' trajectories are. */
export function isTrajectoryName(path: string): boolean {
  return NAMES.test(path);
}

/** The trajectories among a run's files; undefined where there is none that can be read. */
function readRunTrajectories(
  dir: string,
  files: RunView["files"],
  { most, textChars, mostTurns }: TrajectoryRoom,
): RunView["trajectories"] {
  const named = files.filter(({ path, bytes }) => NAMES.test(path) && bytes <= MOST_BYTES);
  const caps = {
    textChars: Math.max(LEAST_CHARS, Math.floor(textChars / Math.min(named.length, most))),
    mostTurns,
  };
  const shown: TrajectoryView[] = [];
  let tried = 0;
  for (const { path } of named) {
    if (shown.length >= most) break;
    tried++;
    const text = readInside(dir, path, { first: MOST_BYTES })?.text;
    const read = text === undefined ? undefined : parseTrajectory(text, basename(path));
    if (read && "trajectory" in read) shown.push({ file: path, ...capTrajectory(read.trajectory, caps) });
  }
  return shown.length === 0 ? undefined : { shown, left: named.length - tried };
}

/** What the runner wrote about a run when it began. */
interface Begun {
  params?: Params & { seed?: number };
  ablation_name?: string;
  ablation_flags?: string[];
  task?: string;
  repeat?: number;
}

/** A run that is under way, as far as it has come; undefined where nobody runs it now. */
export async function runningRun(
  studyDir: string,
  runId: string,
  options: RunViewOptions & { study: StudyFile | undefined },
): Promise<RunView | undefined> {
  const runner = await runnerOf(studyDir).catch(() => undefined);
  const under = runner?.live?.running.find(({ id }) => id === runId);
  if (!under) return undefined;
  const dir = runFolder(studyDir, runId);
  const begun = begunOf(dir);
  const { seed, ...params } = begun?.params ?? {};
  return {
    id: runId,
    params,
    variant: begun?.ablation_name ?? "",
    flags: begun?.ablation_flags ?? [],
    seed: seed ?? null,
    task: begun?.task ?? null,
    repeat: begun?.repeat ?? 0,
    outcome: null,
    ...{ attempt: 1, earlier: [], metrics: [], labels: {}, warnings: [] },
    startedAtMs: under.sinceMs,
    wallMs: Math.max(0, Date.now() - under.sinceMs),
    costUsd: null,
    ...filesAndOutput(dir, { id: runId, own: [] }, options),
  };
}

/** A program's folder has its meta.json half a second after the start; until then little is known. */
function begunOf(dir: string | undefined): Begun | undefined {
  const text =
    dir === undefined ? undefined : readInside(dir, RUN_FILES.meta, { first: MOST_META_BYTES })?.text;
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Begun);
  } catch {
    return undefined;
  }
}
