import { dirname, join } from "node:path";
import type { Applied } from "./base.ts";
import { PATCH_ARGS } from "./diff-copy.ts";
import { git, runGit } from "./git.ts";
import { openScratch } from "./store.ts";

const APPLY = ["apply", "--whitespace=nowarn"];

/**
 * Puts a patch into a copy: plainly, or three-way against the base, which is done in an index of its own, so that a
 * conflict never reaches the copy. Git itself refuses paths that lead out of it, also through links.
 */
export async function applyPatch(
  copy: string,
  patch: string,
  { baseDir, tree }: { baseDir: string; tree: string },
): Promise<Applied> {
  if (patch.trim() === "") return { way: "empty" };
  const scratch = openScratch(copy, join(dirname(baseDir), "store.git"));
  try {
    const call = { cwd: copy, env: { ...scratch.env, GIT_WORK_TREE: copy } };
    const plain = await runGit([...APPLY, "-"], { ...call, input: patch });
    if (plain.code === 0) return { way: "plain" };
    const refused: Applied = {
      way: "refused",
      reason: plain.complaint || `git apply ended with ${plain.code}`,
    };
    const merged = await runGit([...APPLY, "--3way", "--cached", "-"], { ...call, input: patch });
    if (merged.code !== 0) return refused;
    const input = await git([...PATCH_ARGS, tree, "--"], call);
    if (input.length === 0) return { way: "three-way" };
    const result = await runGit([...APPLY, "-"], { ...call, input });
    return result.code === 0 ? { way: "three-way" } : refused;
  } finally {
    scratch.close();
  }
}
