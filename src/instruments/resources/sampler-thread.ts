import { appendFileSync, writeFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { errorText } from "../../core/errors.ts";
import type { Measured } from "../instrument.ts";
import { Sampling } from "./sampling.ts";

/** Orders to the thread that samples: a body that never waits can't keep it from its work. */
export type SamplerOrder =
  | { kind: "start"; pid: number | null; intervalMs: number; maxSamples: number; file: string | null }
  | { kind: "stop" };

/** What it answers to an order to stop. */
export interface Sampled {
  measured: Measured;
  /** Why the file lacks samples that the metrics are of. */
  problem?: string;
}

const port = parentPort!;
let timer: NodeJS.Timeout | undefined;
let sampling: Sampling | undefined;
let file: string | null = null;
let problem: string | undefined;

/** The run may take its folder away, and the disk may be full: that is no reason to stop measuring. */
function look(): void {
  const line = sampling?.sample();
  if (!line || file === null) return;
  try {
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  } catch (error) {
    file = null;
    problem = errorText(error);
  }
}

port.on("message", (order: SamplerOrder) => {
  clearInterval(timer);
  if (order.kind === "start") {
    file = order.file;
    problem = undefined;
    if (file !== null) writeFileSync(file, "");
    // The kernel's mark of the highest RSS starts anew, so that peaks between two samples are seen.
    if (order.pid === null) resetPeak();
    sampling = new Sampling(order.pid ?? "self", order.maxSamples);
    timer = setInterval(look, order.intervalMs);
    port.postMessage("started");
  } else {
    look();
    port.postMessage({ measured: sampling!.end(), ...(problem && { problem }) } satisfies Sampled);
  }
});

function resetPeak(): void {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // Not allowed here: the peak is then the highest sample.
  }
}
