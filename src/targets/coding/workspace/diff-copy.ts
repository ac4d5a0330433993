import { lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import type { Change } from "./base.ts";
import { type ChangedFile, findChanges } from "./find-changes.ts";
import { git, runGit } from "./git.ts";
import type { BaseFacts } from "./make-base.ts";
import type { Tree } from "./scan-tree.ts";
import { openScratch, quoted, RAW_ATTRIBUTES, type Scratch } from "./store.ts";

const MOST_RULE_BYTES = 1 << 20;

/** What git says of the tree in the index against that of a base. */
export const PATCH_ARGS = [
  "diff-index",
  "--cached",
  "--patch",
  "--binary",
  "--full-index",
  "--no-renames",
  "--no-ext-diff",
  "--no-textconv",
];

/** The patch that makes a base's files into those of a copy. */
export async function diffCopy(copy: string, baseDir: string, facts: BaseFacts): Promise<Change> {
  const store = join(dirname(baseDir), "store.git");
  let scratch: Scratch | undefined;
  const open = (): Scratch => {
    scratch ??= openScratch(copy, store);
    return scratch;
  };
  try {
    const basePaths = facts.files.files.map(({ path }) => path);
    const { files, warnings } = await findChanges(copy, facts, (paths, tree) =>
      ignoredPaths(paths, { copy, tree, baseDir, basePaths, gitDir: () => open().gitDir }),
    );
    const patch = files.length === 0 ? "" : await patchOf(files, facts.tree, open());
    return { patch, lines: changeLines(patch), files: files.map(({ path }) => path), warnings };
  } finally {
    scratch?.close();
  }
}

async function patchOf(files: ChangedFile[], tree: string, { gitDir, env }: Scratch): Promise<string> {
  writeBlobs(join(gitDir, "objects"), files);
  // Bytes that are no text would not survive as one: such files go in git's form for binary ones.
  const binary = files.filter(({ isText }) => !isText).map(asBinary);
  writeFileSync(join(gitDir, "info/attributes"), RAW_ATTRIBUTES + binary.join(""));
  const call = { cwd: gitDir, env: { ...env, GIT_WORK_TREE: gitDir } };
  await git(["update-index", "-z", "--index-info"], { ...call, input: indexLines(files) });
  return (await git([...PATCH_ARGS, tree, "--"], call)).toString("utf8");
}

function writeBlobs(objects: string, files: ChangedFile[]): void {
  const written = new Set<string>();
  for (const { now } of files) {
    if (!now || written.has(now.id)) continue;
    written.add(now.id);
    const folder = join(objects, now.id.slice(0, 2));
    mkdirSync(folder, { recursive: true });
    const whole = Buffer.concat([Buffer.from(`blob ${now.bytes.length}\0`), now.bytes]);
    writeFileSync(join(folder, now.id.slice(2)), deflateSync(whole, { level: 1 }));
  }
}

/** Removals first: a file may have become a folder. */
function indexLines(files: ChangedFile[]): string {
  const gone = files.map(({ path }) => `0 ${"0".repeat(40)}\t${path}\0`);
  const there = files.flatMap(({ path, now }) => (now ? [`${now.mode} ${now.id}\t${path}\0`] : []));
  return [...gone, ...there].join("");
}

function asBinary({ path }: ChangedFile): string {
  return `${quoted(`/${path.replaceAll(/[*?[\\]/g, "\\$&")}`)} -diff\n`;
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Added and removed lines of a patch in git's format; binary changes have none. */
function changeLines(patch: string): number {
  let count = 0;
  let old = 0;
  let added = 0;
  for (const line of patch.split("\n")) {
    if (old === 0 && added === 0) {
      const hunk = HUNK.exec(line);
      if (hunk) [old, added] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
      continue;
    }
    const first = line[0];
    if (first === "\\") continue;
    if (first !== "+") old--;
    if (first !== "-") added--;
    if (first === "+" || first === "-") count++;
  }
  return count;
}

const isRules = (path: string): boolean => path === ".gitignore" || path.endsWith("/.gitignore");

/**
 * Which of the paths that an agent made are ignored: by the rules that the task came with, whatever became of them, and
 * by those in the copy now, such as the ones that tools put into their own folders. The rules are read from a tree of
 * their own, since what is called `.gitignore` in the copy may be anything.
 */
async function ignoredPaths(
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
