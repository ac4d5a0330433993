import { defineTarget } from "../target.ts";
import { askedModels } from "./asked-models.ts";
import { checkRollout } from "./check-rollout.ts";
import { versionOfTask } from "./find-task.ts";
import { RolloutManifest } from "./launch-files/rollout-manifest.ts";
import { metricInfos } from "./metric-infos.ts";
import { rolloutSchema } from "./params.ts";
import { canRegrade, regrade } from "./regrade.ts";
import { runRollout } from "./run-rollout.ts";
import { versionOfValue } from "./value-version.ts";

/** A coding agent on a task folder: its own copy of the repository, its patch, the task's tests. */
export const rollout = defineTarget({
  name: "rollout",
  version: "1",
  description:
    "a coding agent on a task folder: codex, claude, a script, or Assay's own; graded by the task's tests",
  params: rolloutSchema,
  metrics: metricInfos,
  taskVersion: versionOfTask,
  valueVersion: versionOfValue,
  models: askedModels,
  launchFiles: (launch) => new RolloutManifest(launch),
  regrading: {
    canRegrade,
    regrade,
  },
  check: checkRollout,
  run: runRollout,
});
