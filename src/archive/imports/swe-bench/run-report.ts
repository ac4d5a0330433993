import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { findTrajectories } from "../../trajectories/find-trajectories.ts";
import { instanceInName } from "../../trajectories/instance-in-name.ts";
import { field, textAt } from "../../trajectories/json-fields.ts";
import { FoundFile, readJsonIfAny } from "../found-file.ts";
import type { ImportedTrial, ImportReader } from "../import-reader.ts";
import { graded, ungraded, type Verdict } from "../verdict.ts";
import { instanceIn, testsOf, whyErrored } from "./instance-report.ts";
import { runNameOf } from "./run-name.ts";
import { trialOf } from "./trial-of.ts";

const LISTS = [
  "resolved_ids",
  "unresolved_ids",
  "empty_patch_ids",
  "error_ids",
  "infra_failure_ids",
  "ambiguous_failure_ids",
] as const;

/** The harness's report on a whole run: `<model>.<run>.json` with lists of instances. */
export const sweBenchRun: ImportReader = {
  name: "swe-bench",
  looksFor: "<model>.<run>.json with resolved_ids",
  claims: isRunReport,
  *read(file) {
    const report = file.json();
    const { model, run } = runNameOf(file.name.replace(/\.json$/, ""), file.dir);
    const logs = join(file.dir, "logs", "run_evaluation", run, model);
    const trajectories = trajectoriesBeside(file);
    const seen = new Set<string>();
    // The particular before the general: a broken evaluation is listed as unresolved, too.
    for (const list of [...LISTS].reverse()) {
      for (const instance of idsIn(report, list)) {
        if (seen.has(instance)) continue;
        seen.add(instance);
        yield trialIn(report, list, { instance, model, run, logs, trajectory: trajectories.get(instance) });
      }
    }
  },
};

function isRunReport(file: FoundFile): boolean {
  return (
    file.name.endsWith(".json") &&
    /_(ids|instances)"\s*:/.test(file.head()) &&
    Array.isArray(field(file.jsonIfAny(), "resolved_ids"))
  );
}

interface Where {
  instance: string;
  model: string;
  run: string;
  logs: string;
  trajectory: string | undefined;
}

function trialIn(report: unknown, list: (typeof LISTS)[number], where: Where): ImportedTrial {
  const { instance, model, run, trajectory } = where;
  const dir = join(where.logs, instance);
  const detail = instanceIn(readJsonIfAny(join(dir, "report.json")), instance);
  const reason = textAt(report, "failure_reasons", instance);
  return trialOf({
    instance,
    model,
    run,
    verdict: verdictOf(list, dir, reason),
    metrics: testsOf(detail),
    exit: list.replace(/_ids$/, ""),
    trajectory,
  });
}

function verdictOf(list: (typeof LISTS)[number], dir: string, reason: string | null): Verdict {
  switch (list) {
    case "resolved_ids":
      return graded(1);
    case "unresolved_ids":
    case "empty_patch_ids":
      return graded(0);
    case "infra_failure_ids":
      return ungraded("infrastructure", reason ?? "the evaluation's machine failed");
    default:
      return whyErrored(dir) === "patch"
        ? ungraded("agent", "the patch does not apply")
        : ungraded("grader", reason ?? "the evaluation ended in an error");
  }
}

function idsIn(report: unknown, list: string): string[] {
  const ids = field(report, list);
  return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === "string") : [];
}

/** What the agent did. Beside several reports, nobody knows whose the trajectories are. */
function trajectoriesBeside({ dir }: FoundFile): Map<string, string> {
  const found = new Map<string, string>();
  const reports = readdirSync(dir).filter((name) => isRunReport(new FoundFile(join(dir, name))));
  if (reports.length > 1) return found;
  for (const path of findTrajectories([dir])) {
    const instance = instanceInName(basename(path));
    if (instance !== null && !found.has(instance)) found.set(instance, path);
  }
  return found;
}
