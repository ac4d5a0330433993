import { execFile } from "node:child_process";
import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { type LevelChange, levelChange } from "../analysis/history/detect-steps.ts";
import type { HistoryFindings } from "../analysis/history/history.ts";
import {
  type Commit,
  isSameCell,
  judge,
  middleOf,
  type NewestStep,
  newestStep,
  pointAt,
  type TriedCommit,
} from "../analysis/history/narrow-step.ts";
import { findStudy, readStudyFile } from "../archive/read-records.ts";
import { errorText, UserError } from "../core/errors.ts";
import type { StudyFile } from "../core/study-folder.ts";
import { runGit } from "../host/environment.ts";
import { makeFolders, removeTree } from "../host/files.ts";
import type { RunOptions, StudyResult } from "../launch/launch-study.ts";
import { type HistoryRequest, historyStudy } from "./history-study.ts";
import { runStudy } from "./run-study.ts";

export interface BisectRequest extends HistoryRequest, Pick<RunOptions, "sinks" | "stop" | "kill"> {
  /** A command line that makes a checkout ready, such as `npm ci`. */
  setup?: string;
  /** Hears what comes next. */
  tell?: (text: string) => void;
}

export interface Bisected {
  cell: string;
  /** The neighbours that were measured at first, and how many commits lie between them. */
  from: string;
  to: string;
  between: number;
  tried: TriedCommit[];
  runs: number;
  /** Where the step can be, oldest first: one commit where it was found. */
  suspects: Commit[];
  change: LevelChange;
  /** Whether the scatter between points is known; else only that within them. */
  isNoiseKnown: boolean;
  isInterrupted: boolean;
}

/** Checking out a large repository takes longer than asking it something. */
const CHECKOUT_MS = 600_000;

/** Measures commits between the two points of the newest step, half of what is left at a time, until it is one commit's. */
export async function bisectHistory(
  names: readonly string[],
  { setup, tell = () => {}, sinks, stop, kill, ...request }: BisectRequest,
): Promise<{ findings: HistoryFindings; bisected: Bisected }> {
  if (names.length !== 1 || request.points === "launch")
    throw new UserError("--run", {
      expected: "one study, with a point for each commit",
      got: names.join(" "),
    });
  const studyDir = findStudy(names[0]!, request.outRoot);
  const file = readStudyFile(studyDir);
  if (!file || file.study.search || file.study.isStamped)
    throw new UserError("--run", { expected: "a study of its own folder, without a search", got: names[0]! });
  const place = placeOf(file);
  let findings = await historyStudy([studyDir], request);
  const step = newestStep(findings.cells);
  const commits = commitsBetween(place.top, step);
  const cellNow = () => findings.cells.find((cell) => isSameCell(cell, step.cell)) ?? { points: [] };
  const tried: TriedCommit[] = [];
  const [left, right] = [new Set(step.left), new Set(step.right)];
  let [low, high, runs, isInterrupted] = [-1, commits.length - 1, 0, false];
  const isOpen = (i: number) => !tried.some(({ hash }) => hash === commits[i]!.hash);
  while (!isInterrupted) {
    const at = middleOf(low, high, isOpen);
    if (at === undefined) break;
    const commit = commits[at]!;
    tell(
      `${commitText(commit)}: ${high - low - 1} commit${high - low === 2 ? " is" : "s are"} left between the two levels`,
    );
    let why: string | undefined;
    const known = pointAt(cellNow(), commit.hash, true);
    // One that an earlier bisection was interrupted at is measured to its end.
    if (!known || known.n < Math.min(step.from.n, step.to.n)) {
      const measured = await measure(commit.hash, place, {
        ...{ file, studyDir, setup },
        ...(request.where !== undefined && { only: request.where }),
        ...{ ...(sinks && { sinks }), ...(stop && { stop }), ...(kill && { kill }) },
      });
      runs += measured.runs;
      why = measured.why;
      isInterrupted = measured.isInterrupted || (stop?.aborted ?? false);
      if (isInterrupted) break;
      findings = await historyStudy([studyDir], request);
    }
    const point = why === undefined ? pointAt(cellNow(), commit.hash, false) : undefined;
    const one = judge(commit, point, step, why);
    tried.push(one);
    if (one.verdict === "before") {
      low = at;
      left.add(commit.hash);
    } else if (one.verdict === "after") {
      high = at;
      right.add(commit.hash);
    } else tell(`${one.verdict}: ${one.why}`);
  }
  const means = (side: ReadonlySet<string>) =>
    cellNow().points.flatMap(({ commit, mean }) => (side.has(commit ?? "") ? [mean] : []));
  const bisected: Bisected = {
    ...{ cell: step.cell.name, from: step.from.commit!, to: step.to.commit!, between: commits.length - 1 },
    ...{
      tried,
      runs,
      suspects: commits.slice(low + 1, high + 1),
      change: levelChange(means(left), means(right)),
    },
    ...{ isNoiseKnown: step.noise !== undefined, isInterrupted },
  };
  return { findings, bisected };
}

export function commitText({ hash, authoredAt, subject }: Commit): string {
  return `${hash.slice(0, 7)} (${authoredAt.slice(0, 10)}) ${subject}`;
}

/** Where the study's file lies in its repository. */
function placeOf({ spec }: StudyFile): { top: string; inside: string } {
  const dir = dirname(spec.path);
  let [top, inside] = ["", ""];
  try {
    top = runGit(dir, ["rev-parse", "--show-toplevel"]);
    const words = ["--literal-pathspecs", "ls-files", "-z", "--full-name", "--", basename(spec.path)];
    inside = runGit(dir, words).replaceAll("\0", "");
  } catch {
    throw new UserError(`there is no git repository around ${dir}, or no git`, {
      remedy: "--run checks out commits of the study file's repository.",
    });
  }
  if (inside === "")
    throw new UserError(`git doesn't know the study file ${spec.path}`, {
      remedy: "Commit it: its folder is where the other commits are measured.",
    });
  return { top, inside };
}

/** After the one, up to and with the other, oldest first. */
function commitsBetween(top: string, { from, to }: NewestStep): Commit[] {
  const range = `${from.commit}..${to.commit}`;
  const format = "--format=%H%x00%aI%x00%s";
  const words = [
    "log",
    "--no-show-signature",
    "--reverse",
    "--first-parent",
    "--ancestry-path",
    format,
    range,
  ];
  let text = "";
  try {
    text = runGit(top, words);
  } catch {
    // A clone that is not deep enough.
  }
  if (text === "")
    throw new UserError(`${to.label} does not descend from ${from.label} in ${top}`, {
      remedy: "--run bisects one line of commits; a shallow clone needs `git fetch --unshallow`.",
    });
  return text.split("\n").map((line) => {
    const [hash, authoredAt, subject] = line.split("\0") as [string, string, string];
    return { hash, authoredAt, subject };
  });
}

interface Measuring extends Pick<RunOptions, "sinks" | "stop" | "kill" | "only"> {
  file: StudyFile;
  studyDir: string;
  setup: string | undefined;
}

interface Measured {
  runs: number;
  isInterrupted: boolean;
  /** Why the commit can't be judged. */
  why?: string;
}

/**
 * Runs the study as it was recorded on a commit's files, in a checkout of its own that is gone afterwards. The results lie
 * beside the study's, where its history reads them.
 */
async function measure(
  hash: string,
  { top, inside }: { top: string; inside: string },
  { file, studyDir, setup, ...options }: Measuring,
): Promise<Measured> {
  const { seeds, executor } = file.study;
  const params = file.launches.at(-1)?.params;
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "assay-bisect-")));
  const tree = join(dir, "tree");
  const spec = join(tree, inside);
  const callerDir = process.cwd();
  const leave = () => {
    process.chdir(callerDir);
    removeTree(dir);
    runGit(top, ["worktree", "prune"]);
  };
  process.once("exit", leave);
  try {
    const checkout = ["-c", "core.hooksPath=/dev/null", "worktree", "add", "--detach", tree, hash];
    runGit(top, checkout, { timeoutMs: CHECKOUT_MS });
    keepSpec(tree, inside, file.spec.text);
    if (setup !== undefined)
      await promisify(execFile)("sh", ["-c", setup], { cwd: tree, maxBuffer: 1 << 26 });
    // Patterns for tasks are looked for where the command is called.
    const below = relative(top, callerDir);
    makeFolders(join(tree, below.startsWith("..") ? "" : below));
    process.chdir(join(tree, below.startsWith("..") ? "" : below));
    const { summary } = await runStudy(spec, {
      ...{ ...options, seeds, jobs: executor.jobs, executor: executor.kind, ...(params && { params }) },
      ...{ outRoot: dirname(studyDir), name: `${basename(studyDir)}@${hash.slice(0, 7)}` },
    });
    return { runs: countRuns(summary), isInterrupted: summary.stopped === "interrupted", ...whyOf(summary) };
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    const last = stderr?.trim().split("\n").at(-1);
    return { runs: 0, isInterrupted: false, why: last || errorText(error) };
  } finally {
    process.off("exit", leave);
    leave();
  }
}

/** The file as recorded, whatever the commit has in its place; to git it is unchanged, so the point is the commit's. */
function keepSpec(tree: string, inside: string, text: string): void {
  const isThere = runGit(tree, ["--literal-pathspecs", "ls-files", "--", inside]) !== "";
  if (isThere) runGit(tree, ["update-index", "--assume-unchanged", "--", inside]);
  makeFolders(dirname(join(tree, inside)));
  writeFileSync(join(tree, inside), text);
}

function countRuns({ ok, stoppedEarly, failed, cancelled }: StudyResult["summary"]): number {
  return ok + stoppedEarly + failed + cancelled;
}

function whyOf({ failed, cancelled, stopped }: StudyResult["summary"]): Pick<Measured, "why"> {
  if (failed + cancelled > 0) return { why: `${failed + cancelled} of its runs failed` };
  return stopped === undefined ? {} : { why: `its runs ended early: ${stopped}` };
}
