import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { isAlive, processHost, reapMarked, thisProcess } from "../../host/processes.ts";

/** The folder of a worker's own, below which each study has one. */
export async function openScratch(root = defaultRoot()): Promise<string> {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  await clearDead(root);
  const { pid, birth } = thisProcess();
  const dir = join(root, `${pid}-${birth}`);
  mkdirSync(dir, { recursive: true });
  return dir;
}

function defaultRoot(): string {
  return join(process.env.ASSAY_SCRATCH ?? tmpdir(), `assay-worker-${userInfo().uid}`);
}

/** What workers that were killed have left: programs that still run, and files. */
async function clearDead(root: string): Promise<void> {
  for (const name of readdirSync(root)) {
    const match = /^(\d+)-(\d*)$/.exec(name);
    if (!match || isAlive({ pid: Number(match[1]), birth: match[2]!, host: processHost() })) continue;
    const dir = join(root, name);
    for (const study of existsSync(dir) ? readdirSync(dir) : [])
      await reapMarked({ studyDir: join(dir, study) }, () => false);
    rmSync(dir, { recursive: true, force: true });
  }
}
