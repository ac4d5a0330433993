import { lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runGit } from "./git.ts";
import type { Tree } from "./scan-tree.ts";

const MOST_RULE_BYTES = 1 << 20;
const isRules = (path: string): boolean => path === ".gitignore" || path.endsWith("/.gitignore");

/**
 * Which of the paths that an agent made are ignored: by the rules that the task came with, whatever became of them, and
 * by those in the copy now, such as the ones that tools put into their own folders. The rules are read from a tree of
 * their own, since what is called `.gitignore` in the copy may be anything.
 */
export async function ignoredPaths(
  paths: string[],
  {
    copy,
    tree,
    baseDir,
    basePaths,
    gitDir,
  }: {
    copy: string;
    tree: Tree;
    baseDir: string;
    basePaths: string[];
    /** Makes one where there is none yet. */
    gitDir: () => string;
  },
): Promise<Set<string>> {
  const rules = new Set([...basePaths, ...tree.entries.map(({ path }) => path)].filter(isRules));
  if (rules.size === 0) return new Set();
  const dir = gitDir();
  const root = join(dir, "rules");
  mkdirSync(root);
  for (const path of rules) {
    const text = [baseDir, copy].map((dir) => rulesIn(dir, path)).join("\n");
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const call = { cwd: root, env: { GIT_DIR: dir, GIT_WORK_TREE: root }, input: paths.join("\0") };
  const { code, stdout, complaint } = await runGit(["check-ignore", "--no-index", "-z", "--stdin"], call);
  // 1: nothing is ignored.
  if (code !== 0 && code !== 1) throw new Error(`git check-ignore failed: ${complaint}`);
  return new Set(stdout.toString("utf8").split("\0").filter(Boolean));
}

function rulesIn(dir: string, path: string): string {
  const file = join(dir, path);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats?.isFile() && stats.size <= MOST_RULE_BYTES ? readFileSync(file, "utf8") : "";
}
