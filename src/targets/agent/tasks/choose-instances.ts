import { UserError } from "../../../core/errors.ts";
import { selectTasks } from "../../../core/select-tasks.ts";
import type { AgentParams } from "../params.ts";
import { listTasks, taskSetDir } from "./load-task.ts";

/** The tasks of a run that does several. */
export function chooseInstances(params: AgentParams, dir: string): string[] {
  return selectTasks(listTasks(dir), {
    subset: params.instances_subset,
    slice: params.instances_slice,
    shuffle: params.instances_shuffle,
    shuffleSeed: params.instances_shuffle_seed,
  });
}

/** Choices that were found good: the cells of a study share a few. */
const good = new Set<string>();

/** Throws where no instance can be chosen so, before anything runs. */
export function checkInstances(params: AgentParams, baseDir: string): void {
  const { task_set, instances_subset, instances_slice } = params;
  const dir = taskSetDir(task_set, baseDir);
  const choice = JSON.stringify([dir, instances_subset, instances_slice]);
  if (good.has(choice)) return;
  try {
    chooseInstances(params, dir);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(`instances of target agent: ${error.message.replace(/\.$/, "")}`, {
      remedy: "Tasks of your own are a folder, task_set: ./folder, where the level of each is its subset.",
    });
  }
  good.add(choice);
}
