import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import * as z from "zod";
import { defineInstrument } from "../instrument.ts";
import type { Sampled, SamplerOrder } from "./sampler-thread.ts";

const options = z.strictObject({
  interval_ms: z.number().min(10).max(3_600_000).default(200).describe("Milliseconds between two samples."),
  max_samples: z
    .int()
    .min(1)
    .max(10_000_000)
    .default(1000)
    .describe("Lines kept in resources.jsonl; the metrics are of all samples."),
});

/**
 * Processor time, memory and disk traffic, sampled from /proc on a thread of its own. Around a program: of it and
 * of all that it started. Around a module in a thread: of the whole process, since threads share one.
 */
export const resources = defineInstrument({
  name: "resources",
  description: "CPU, RSS and I/O with all child processes, sampled into resources.jsonl; Linux",
  options,
  around: "run",
  measures: "anything",
  async start({ options: { interval_ms, max_samples }, outDir, pid, iteration, warn }) {
    if (!existsSync("/proc/self/stat")) {
      warn("resources: this machine has no /proc, so nothing was sampled");
      return () => ({});
    }
    const name = iteration > 0 ? `resources-${iteration}.jsonl` : "resources.jsonl";
    const sampler = await idleSampler();
    await ask(sampler, {
      kind: "start",
      pid: pid ?? null,
      intervalMs: interval_ms,
      maxSamples: max_samples,
      file: outDir === null ? null : `${outDir}/${name}`,
    });
    return async () => {
      const { measured, problem } = (await ask(sampler, { kind: "stop" })) as Sampled;
      idle.push(sampler);
      if (problem !== undefined) warn(`resources: ${name} ends before the run does: ${problem}`);
      return measured;
    };
  },
});

/** Threads that wait for the next run: starting one takes longer than a short run. */
const idle: Worker[] = [];

async function idleSampler(): Promise<Worker> {
  const sampler = idle.pop() ?? new Worker(threadPath());
  sampler.unref();
  return sampler;
}

function ask(sampler: Worker, order: SamplerOrder): Promise<unknown> {
  sampler.ref();
  return new Promise((resolve, reject) => {
    const settle = (then: (value: unknown) => void) => (value: unknown) => {
      sampler.off("message", onMessage).off("error", onError);
      sampler.unref();
      then(value);
    };
    const onMessage = settle(resolve);
    const onError = settle(reject);
    sampler.once("message", onMessage).once("error", onError);
    sampler.postMessage(order);
  });
}

/** The build lies in one folder; when the sources themselves run (in tests), the build beside them is used. */
function threadPath(): string {
  const isSource = import.meta.url.endsWith(".ts");
  const name = "sampler-thread.js";
  return fileURLToPath(new URL(isSource ? `../../../dist/${name}` : `./${name}`, import.meta.url));
}
