import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { parseStat } from "../../core/parse-stat.ts";
import { reapMarked } from "../../executors/marked-processes.ts";

/** The folder of a worker's own, below which each study has one. */
export async function openScratch(root = defaultRoot()): Promise<string> {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  await clearDead(root);
  const dir = join(root, `${process.pid}-${birthOf(process.pid)}`);
  mkdirSync(dir, { recursive: true });
  return dir;
}

function defaultRoot(): string {
  return join(process.env.ASSAY_SCRATCH ?? tmpdir(), `assay-worker-${userInfo().uid}`);
}

/** What workers that were killed have left: programs that still run, and files. */
async function clearDead(root: string): Promise<void> {
  for (const name of readdirSync(root)) {
    const [pid, birth] = name.split("-");
    if (birth === birthOf(Number(pid))) continue;
    const dir = join(root, name);
    for (const study of existsSync(dir) ? readdirSync(dir) : [])
      await reapMarked({ studyDir: join(dir, study) }, () => false);
    rmSync(dir, { recursive: true, force: true });
  }
}

/** When a process began, in ticks of the kernel: a number is given out again, this pair is not. */
function birthOf(pid: number): string | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "latin1")).startedAt;
  } catch {
    return process.platform === "linux" ? undefined : "0";
  }
}
