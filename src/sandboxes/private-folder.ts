import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** An empty folder for a program's temporary files, counted against its disk and gone with it. */
export function makePrivateFolder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "assay-tmp-")));
  chmodSync(path, 0o1777);
  return path;
}

/** Removes a folder whatever a program made of it: no permissions, thousands of levels. */
export async function removeFolder(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    await run("chmod", ["-R", "u+rwx", "--", path]);
    await run("rm", ["-rf", "--", path]);
  }
}

function run(program: string, words: string[]): Promise<void> {
  return new Promise((resolve) => {
    execFile(program, words, () => resolve());
  });
}
