import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { readStudyFile } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";

export interface StudyChanges {
  study: string;
  /** When a launch last ran something, and what git said then. */
  launchedAt: string | null;
  commit: string;
  wasDirty: boolean;
  /** Commits since then that touch the paths, newest first. */
  commits: { commit: string; subject: string }[];
  /** Tracked files that differ from what they were at the launch; lines are counted against the commit. */
  files: { path: string; added: number | null; deleted: number | null }[];
  /** Files and folders that git does not track: nobody knows what they were at the launch. */
  untracked: string[];
}

/**
 * What has changed in the code since the last launch of a study that ran something, in all of the checkout or below some paths. A
 * launch with uncommitted changes recorded them too: a file that still has just those has not changed.
 */
export function studyChanges(studyDir: string, paths: string[] = []): StudyChanges {
  const file = readStudyFile(studyDir);
  const recorded = (file?.git ?? {}) as { commit?: unknown; dirty?: unknown; diff?: unknown };
  const { commit } = recorded;
  if (file === undefined || typeof commit !== "string" || !/^[0-9a-f]{40,64}$/.test(commit))
    throw new UserError(`${studyDir} records no commit`, {
      remedy: "Studies record one when their file lies in a git checkout with at least one commit.",
    });
  const git = gitIn(file.spec.path, commit);
  const where = ["--", ...(paths.length > 0 ? paths.map((path) => resolve(path)) : [":/"])];
  const tracked = new Set(lines(git("ls-files", "--full-name", ...where)));
  const before = fileDiffs(String(recorded.diff ?? ""));
  const now = fileDiffs(git("diff", commit, ...where));
  const isUnchanged = (path: string) => before.has(path) && before.get(path) === now.get(path);
  const counted = lines(git("diff", "--numstat", "--no-renames", commit, ...where)).map(countedFile);
  const undone = [...before.keys()].filter((path) => tracked.has(path) && !now.has(path));
  return {
    study: file.name,
    launchedAt: file.launches.findLast(({ isIdle }) => !isIdle)?.at ?? null,
    commit,
    wasDirty: recorded.dirty === true,
    commits: lines(git("log", "--format=%H %s", `${commit}..HEAD`, ...where)).map((line) => {
      const space = line.indexOf(" ");
      return { commit: line.slice(0, space), subject: line.slice(space + 1) };
    }),
    files: [
      ...counted.filter(({ path }) => !isUnchanged(path)),
      ...undone.map((path) => ({ path, added: 0, deleted: 0 })),
    ],
    untracked: lines(
      git("ls-files", "--others", "--exclude-standard", "--directory", "--full-name", ...where),
    ),
  };
}

/** git in the checkout that the study file lies in, or, for a study from elsewhere, in the one around us. */
function gitIn(specPath: string, commit: string): (...words: string[]) => string {
  const dir = existsSync(dirname(specPath)) ? dirname(specPath) : ".";
  const git = (...words: string[]): string =>
    execFileSync("git", ["-C", dir, "-c", "core.quotepath=off", ...words], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 1 << 28,
      env: { ...process.env, GIT_OPTIONAL_LOCKS: "0" },
    });
  try {
    git("cat-file", "-e", `${commit}^{commit}`);
  } catch {
    throw new UserError(
      `the checkout around ${resolve(dir)} does not know the commit ${commit.slice(0, 12)}`,
      {
        remedy: "Fetch it, or run this in a checkout that has it.",
      },
    );
  }
  return git;
}

/** The pieces of a diff by the file that each is about. */
function fileDiffs(diff: string): Map<string, string> {
  const pieces = diff.split(/^(?=diff --git )/m).filter((piece) => piece.startsWith("diff --git "));
  return new Map(
    pieces.map((piece) => [/^diff --git .*? b\/(.*)$/m.exec(piece)?.[1] ?? "", piece.trimEnd()]),
  );
}

/** Binary files have dashes for numbers. */
function countedFile(line: string): StudyChanges["files"][number] {
  const [added, deleted, path] = line.split("\t") as [string, string, string];
  const count = (text: string) => (text === "-" ? null : Number(text));
  return { path, added: count(added), deleted: count(deleted) };
}

function lines(text: string): string[] {
  return text.split("\n").filter(Boolean);
}
