import { execFileSync } from "node:child_process";
import os from "node:os";
import { join } from "node:path";
import { readJson, readJsonIfAny } from "./files.ts";
import { packageDir, packageFile } from "./package.ts";

const MOST_DIFF_CHARACTERS = 200_000;

/** The machine and the software that a study ran on. No environment variables: those hold secrets. */
export function describeMachine(): Record<string, unknown> {
  const cpus = os.cpus();
  return {
    os: `${os.type()} ${os.release()}`,
    platform: `${process.platform} ${process.arch}`,
    hostname: os.hostname(),
    cpu: cpus[0]?.model.trim() ?? "unknown",
    cores: os.availableParallelism(),
    memoryBytes: os.totalmem(),
    node: process.version,
    v8: process.versions.v8,
  };
}

/** Versions of this package and of what it is made of. */
export function describePackages(): Record<string, string> {
  const own = readJson<Record<string, unknown>>(packageFile());
  const versions: Record<string, string> = { [String(own.name)]: String(own.version) };
  for (const name of Object.keys((own.dependencies as object | undefined) ?? {})) {
    for (const base of ["node_modules", ".."]) {
      const found = readJsonIfAny<{ version?: string }>(join(packageDir(), base, name, "package.json"));
      if (found?.version !== undefined) versions[name] ??= found.version;
    }
  }
  return versions;
}

/** The state of the git checkout around a folder, or null outside of one. The diff is capped. */
export function describeGit(dir: string): Record<string, unknown> | null {
  const git = (...words: string[]): string =>
    execFileSync("git", ["-C", dir, ...words], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 1 << 26,
      timeout: 10_000,
      env: { ...process.env, GIT_OPTIONAL_LOCKS: "0" },
    }).trim();
  try {
    const status = git("status", "--porcelain");
    const diff = status === "" ? "" : git("diff", "HEAD");
    const [commit, committedAt] = git("log", "-1", "--no-show-signature", "--format=%H%n%cI").split("\n");
    return {
      commit,
      committedAt,
      branch: git("rev-parse", "--abbrev-ref", "HEAD"),
      dirty: status !== "",
      diff: diff.slice(0, MOST_DIFF_CHARACTERS),
      ...(diff.length > MOST_DIFF_CHARACTERS && { diffCut: diff.length - MOST_DIFF_CHARACTERS }),
    };
  } catch {
    return null;
  }
}
