import { availableParallelism } from "node:os";
import { UserError } from "../core/errors.ts";
import { plural } from "../core/number-text.ts";
import { createExecutor } from "../executors/index.ts";
import { hideAddress, readAddress } from "../fleet/address.ts";
import { readFleetKey } from "../fleet/fleet-key.ts";
import type { WorkerRecord } from "../fleet/registry.ts";
import { runWorker, type WorkerSettings } from "../fleet/worker/worker.ts";
import { listenForInterrupts } from "./interrupts.ts";
import type { MetricsAddress } from "./read-option.ts";
import type { WorkerOptions } from "./worker.ts";

const LEASE_S = 30;
const REFUSED = 3;

/** A worker of a fleet: takes runs of any study from a queue, until it is asked to end. */
export async function queueWorker(options: WorkerOptions): Promise<void> {
  if (options.queue !== undefined) hideAddress(options.queue);
  if (process.env.ASSAY_QUEUE === undefined)
    throw new UserError("no sweep and no queue to work for", {
      remedy: "Name one: `assay worker my-search`, or `assay worker --queue redis://host:6379`.",
    });
  const address = readAddress(process.env.ASSAY_QUEUE);
  const key = readFleetKey();
  // What this worker runs must learn neither.
  delete process.env.ASSAY_QUEUE;
  delete process.env.ASSAY_FLEET_KEY;
  // TERM asks like Ctrl-C: it is what containers get. A machine that may be taken away leaves no time for that.
  const interrupts = listenForInterrupts({
    gentle: options.preemptible ? ["SIGINT"] : ["SIGINT", "SIGTERM"],
    ending: "ending what runs; other workers get it",
  });
  const { id, done, failed, problem } = await runWorker({
    address,
    key,
    jobs: options.jobs ?? availableParallelism(),
    labels: options.labels ?? [],
    onlyShipped: options.onlyShipped ?? false,
    most: options.count ?? Number.POSITIVE_INFINITY,
    leaseMs: (options.lease ?? LEASE_S) * 1000,
    stop: interrupts.stop.signal,
    kill: interrupts.kill.signal,
    ...(options.metrics && { expose: await exposeTo(options.metrics) }),
    createExecutor: (setting) => createExecutor("", setting),
    say: (text) => {
      if (!options.quiet) process.stderr.write(`assay: ${text}\n`);
    },
  });
  if (options.json) console.log(JSON.stringify({ worker: id, done, failed, problem: problem ?? null }));
  else console.log(`this worker did ${plural(done, "run")}${failed > 0 ? `, ${failed} failed` : ""}`);
  if (problem !== undefined) process.exitCode = REFUSED;
  else if (interrupts.signal !== undefined && interrupts.signal !== "SIGTERM")
    process.exitCode = interrupts.exitCode;
  // All is done. Where the queue is away, what waits on it would try again for ever.
  process.exit();
}

/** A worker that is not up yet has nothing to say. */
async function exposeTo(address: MetricsAddress): Promise<NonNullable<WorkerSettings["expose"]>> {
  const { serveMetrics, workerFamilies } = await import("./metrics.ts");
  let look: (() => WorkerRecord) | undefined;
  await serveMetrics(address, () => (look ? workerFamilies(look()) : []));
  return (given) => {
    look = given;
  };
}
