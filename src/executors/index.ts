import { UserError } from "../core/errors.ts";
import type { Executor, ExecutorKind, Setting } from "../core/executor.ts";
import { findMember, openFamily } from "../core/family.ts";
import { isPythonTarget, type TargetRef } from "../core/study.ts";
import { loadInstruments } from "./load-instruments.ts";

/** What sees a process as a whole, whatever runs in it. */
const FROM_OUTSIDE = new Set(["resources", "instructions"]);

/** Where runs can run; each loaded when it is used. */
export const executors: Readonly<Record<string, ExecutorKind>> = openFamily<ExecutorKind>("executor", {
  thread: {
    description: "module targets in a pool of worker threads",
    create: async (setting) => new (await import("./thread.ts")).ThreadExecutor(setting),
  },
  process: {
    description: "programs (and module targets) as child processes",
    create: async (setting) => {
      // A module is measured where it runs; of Python, what can be seen from outside.
      const isPython = isPythonTarget(setting.target);
      const isProgram = setting.target.kind === "command";
      const all = await loadInstruments(setting);
      const { target } = setting;
      if (target.kind === "command" && target.isWorker) {
        const { ServingExecutor } = await import("./serving/serving-executor.ts");
        return new ServingExecutor(setting, target, {
          isTimed: all.some(({ instrument }) => instrument.name === "timing"),
        });
      }
      const bound =
        !isProgram && !isPython
          ? all.filter(({ instrument }) => instrument.name === "instructions")
          : isPython
            ? all.filter(({ instrument }) => FROM_OUTSIDE.has(instrument.name))
            : all;
      return new (await import("./process.ts")).ProcessExecutor(setting, bound);
    },
  },
  queue: {
    description: "workers on any machine, by a queue on Redis or Postgres",
    isAway: true,
    create: async (setting) => (await import("./queue/queue.ts")).QueueExecutor.create(setting),
  },
  slurm: {
    description: "job arrays of a Slurm cluster",
    isAway: true,
    create: async (setting) => (await import("./slurm/slurm.ts")).SlurmExecutor.create(setting),
  },
});

export async function createExecutor(kind: string, setting: Setting): Promise<Executor> {
  const executor = await openPlain(kind, setting);
  // What runs need beside them is where they run.
  const isPlain = !setting.services && !setting.models;
  if (isPlain || chooseExecutor(kind, setting.target).isAway) return executor;
  const { EquippedExecutor } = await import("./around/equipped-executor.ts");
  return EquippedExecutor.around(executor, setting);
}

/** An executor alone, as one that builds on another gets it. */
function openPlain(kind: string, setting: Setting): Promise<Executor> {
  return chooseExecutor(kind, setting.target).create(setting, openPlain);
}

/** The executor that a study asks for, or else the one that suits its target. */
export function chooseExecutor(kind: string, target: TargetRef): ExecutorKind {
  const isProgram = target.kind === "command" || isPythonTarget(target);
  const chosen = kind || (isProgram ? "process" : "thread");
  const found = findMember(executors, "executor", chosen);
  if (chosen === "thread" && isProgram) {
    throw new UserError("a program can't run in a thread", {
      remedy: "Leave executor: out, or write executor: process.",
    });
  }
  return found;
}
