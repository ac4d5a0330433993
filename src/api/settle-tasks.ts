import { dirname } from "node:path";
import { UserError } from "../core/errors.ts";
import { selectTasks } from "../core/select-tasks.ts";
import { suggestion } from "../core/suggest.ts";
import { checkParams } from "../targets/check-params.ts";
import { loadTarget } from "../targets/load-target.ts";
import type { LoadedStudy } from "./load-study.ts";

/** Fills in the tasks that a study chooses from its target's, and checks those that it names. */
export async function settleTasks({ study, locate, spec }: LoadedStudy): Promise<void> {
  const { tasks: named, taskSelection: selection, target: ref } = study;
  if (!named && !selection) return;
  const place = locate(["tasks"]);
  const target = ref.kind === "command" ? undefined : await loadTarget(ref);
  if (!target?.tasks) {
    if (!selection) return;
    throw new UserError("the target has no list of tasks to choose from", {
      place,
      expected: "names",
      remedy: "Write tasks: [first, second].",
    });
  }
  const known = target.tasks(checkParams(target, study.params), dirname(spec.path));
  if (selection) {
    try {
      study.tasks = selectTasks(known, selection);
    } catch (error) {
      throw error instanceof UserError ? error.at(place) : error;
    }
    delete study.taskSelection;
    return;
  }
  const names = known.map(({ name }) => name);
  const missing = named?.find((name) => !names.includes(name));
  if (missing === undefined) return;
  throw new UserError(`there is no task "${missing}"`, {
    place,
    remedy: suggestion(missing, names),
  });
}
