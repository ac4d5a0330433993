import { relative } from "node:path";
import { joinSweep } from "../api/sweep/join-sweep.ts";
import { workSweep } from "../api/sweep/work-sweep.ts";
import { findStudy } from "../archive/find-study.ts";
import { listenForInterrupts } from "./interrupts.ts";
import { Progress } from "./progress.ts";
import { durationText, plural } from "./terminal.ts";

export interface WorkerOptions {
  count?: number;
  jobs: number;
  outRoot?: string;
  quiet?: boolean;
  verbose: number;
  json?: boolean;
}

/** Takes one run of a sweep after the other, until nothing is left or its count is reached. */
export async function worker(name: string, options: WorkerOptions): Promise<void> {
  const studyDir = findStudy(name, options.outRoot);
  const { prepared, sweep } = await joinSweep(studyDir, { jobs: options.jobs });
  const verbosity = options.quiet ? -1 : options.verbose;
  const interrupts = listenForInterrupts();
  try {
    const { summary, ending } = await workSweep(prepared, sweep, {
      rerun: "none",
      ...(options.count !== undefined && { most: options.count }),
      sinks: [new Progress({ stream: process.stderr, verbosity, hide: prepared.redactor.text })],
      stop: interrupts.stop.signal,
      kill: interrupts.kill,
    });
    const { ok, failed, cancelled, wallMs, stopped } = summary;
    if (options.json) {
      console.log(
        JSON.stringify({
          studyDir: relative(process.cwd(), studyDir) || ".",
          ok,
          failed,
          cancelled,
          wallMs,
          stopped: stopped ?? null,
          ending: ending?.why ?? null,
        }),
      );
    } else {
      const failures = failed > 0 ? `, ${failed} failed` : "";
      console.log(`this worker did ${plural(ok + failed, "run")}${failures} in ${durationText(wallMs)}`);
      if (ending) console.log(`the sweep has ended: ${ending.why}`);
    }
    if (stopped === "interrupted") process.exitCode = 130;
    else if (failed > 0 || stopped !== undefined || ending?.isDefeat) process.exitCode = 1;
  } finally {
    interrupts.release();
  }
}
