import { relative } from "node:path";
import { findStudy } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import { durationText, plural } from "../core/number-text.ts";
import { joinSearch } from "../launch/search/open-search.ts";
import { workOnSearch } from "../launch/search/work-on-search.ts";
import { listenForInterrupts } from "./interrupts.ts";
import { Progress } from "./progress.ts";
import type { MetricsAddress } from "./read-option.ts";

export interface WorkerOptions {
  count?: number;
  jobs?: number;
  queue?: string;
  labels?: string[];
  onlyShipped?: boolean;
  preemptible?: boolean;
  metrics?: MetricsAddress;
  lease?: number;
  outRoot?: string;
  quiet?: boolean;
  verbose: number;
  json?: boolean;
}

/** Takes one run after the other: of a sweep until nothing is left, from a queue until it is asked to end. */
export async function worker(name: string | undefined, options: WorkerOptions): Promise<void> {
  if (name === undefined) return (await import("./queue-worker.ts")).queueWorker(options);
  if (options.queue !== undefined)
    throw new UserError("a worker takes runs of a sweep or from a queue, not both", {
      remedy: "Leave out the sweep, or --queue.",
    });
  const { jobs = 1 } = options;
  const studyDir = findStudy(name, options.outRoot);
  const { prepared, opened } = await joinSearch(studyDir, { jobs });
  const verbosity = options.quiet ? -1 : options.verbose;
  const metrics =
    options.metrics &&
    (await (await import("./metrics.ts")).startMetrics(prepared.study.name, options.metrics));
  const interrupts = listenForInterrupts();
  try {
    const { summary, ending } = await workOnSearch(prepared, opened, {
      rerun: "none",
      ...(options.count !== undefined && { most: options.count }),
      sinks: [
        new Progress({ stream: process.stderr, verbosity, hide: prepared.redactor.text }),
        ...(metrics ? [metrics.sink] : []),
      ],
      stop: interrupts.stop.signal,
      kill: interrupts.kill,
    });
    const { ok, stoppedEarly, failed, cancelled, wallMs, stopped } = summary;
    if (options.json) {
      console.log(
        JSON.stringify({
          studyDir: relative(process.cwd(), studyDir) || ".",
          ok,
          stoppedEarly,
          failed,
          cancelled,
          wallMs,
          stopped: stopped ?? null,
          ending: ending?.why ?? null,
        }),
      );
    } else {
      const early = stoppedEarly > 0 ? `, ${stoppedEarly} stopped early` : "";
      const failures = failed > 0 ? `, ${failed} failed` : "";
      console.log(
        `this worker did ${plural(ok + stoppedEarly + failed, "run")}${early}${failures} in ${durationText(wallMs)}`,
      );
      if (ending) console.log(`the sweep has ended: ${ending.why}`);
    }
    if (stopped === "interrupted") process.exitCode = interrupts.exitCode;
    else if (failed > 0 || stopped !== undefined || ending?.isDefeat) process.exitCode = 1;
  } finally {
    interrupts.release();
    metrics?.close();
  }
}
