import { dirname } from "node:path";
import { UserError } from "../core/errors.ts";
import { selectTasks } from "../core/select-tasks.ts";
import type { Study } from "../core/study.ts";
import { suggestion } from "../core/suggest.ts";
import { checkParams } from "../targets/check-params.ts";
import { loadTarget } from "../targets/load-target.ts";
import type { Target } from "../targets/target.ts";
import type { LoadedStudy } from "./load-study.ts";
import { valuesOfParam } from "./values-of-param.ts";

/** Fills in the tasks that a study chooses from its target's, checks those that it names, and asks for their versions. */
export async function settleTasks({ study, locate, spec }: LoadedStudy): Promise<void> {
  const { tasks: named, taskSelection: selection, target: ref } = study;
  if (!named && !selection) return;
  const place = locate(["tasks"]);
  const target = ref.kind === "command" ? undefined : await loadTarget(ref);
  const baseDir = dirname(spec.path);
  if (!target?.tasks) {
    if (!selection) return settleVersions(study, target, baseDir);
    throw new UserError("the target has no list of tasks to choose from", {
      place,
      expected: "names",
      remedy: "Write tasks: [first, second].",
    });
  }
  const params = checkParams(target, study.params);
  const known = target.tasks(params, baseDir);
  if (selection) {
    try {
      study.tasks = selectTasks(known, selection);
    } catch (error) {
      throw error instanceof UserError ? error.at(place) : error;
    }
    delete study.taskSelection;
  }
  const names = known.map(({ name }) => name);
  const missing = study.tasks?.find((name) => !names.includes(name));
  if (missing !== undefined)
    throw new UserError(`there is no task "${missing}"`, { place, remedy: suggestion(missing, names) });
  settleVersions(study, target, baseDir);
}

function settleVersions(study: Study, target: Target | undefined, baseDir: string): void {
  if (!target?.taskVersion) return;
  const params = checkParams(target, study.params);
  const versions = taskVersions(study, target, (task) => target.taskVersion?.(task, params, baseDir));
  if (versions) study.taskVersions = versions;
}

/** A version each; none at all where the target has none, or where tasks come from several places. */
function taskVersions(
  study: Study,
  { taskSetParam }: Target,
  versionOf: (task: string) => string | undefined,
): Study["taskVersions"] {
  if (taskSetParam !== undefined && new Set(valuesOfParam(study, taskSetParam)).size > 1) return undefined;
  const versions = (study.tasks ?? []).map((task) => [task, versionOf(task)] as const);
  if (versions.every(([, version]) => version === undefined)) return undefined;
  return Object.fromEntries(versions.filter(([, version]) => version !== undefined)) as Record<
    string,
    string
  >;
}
