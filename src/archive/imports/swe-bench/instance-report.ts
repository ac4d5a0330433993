import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Metrics } from "../../../core/run.ts";
import { booleanAt, field, isObject } from "../../trajectories/json-fields.ts";
import type { FoundFile } from "../found-file.ts";
import { BrokenImport, type ImportReader } from "../import-reader.ts";
import { graded, ungraded, type Verdict } from "../verdict.ts";
import { trialOf } from "./trial-of.ts";

/** The harness's logs of one instance: `logs/run_evaluation/<run>/<model>/<instance>/report.json`. */
export const sweBenchInstance: ImportReader = {
  name: "swe-bench",
  looksFor: "logs/run_evaluation/<run>/<model>/<instance>/report.json",
  claims: (file) =>
    file.name === "report.json" &&
    (instanceIn(file.jsonIfAny(), basename(file.dir)) !== undefined || isLogged(file)),
  *read(file) {
    const instance = basename(file.dir);
    const report = instanceIn(file.json(), instance);
    if (report === undefined) throw new BrokenImport(`no report on ${instance} in it`);
    const modelDir = systemFolder(dirname(file.dir));
    yield trialOf({
      instance,
      model: basename(modelDir),
      run: basename(dirname(modelDir)),
      verdict: verdictOf(report),
      metrics: testsOf(report),
      exit: booleanAt(report, "resolved") ? "resolved" : "unresolved",
    });
  },
};

/** Names of folders that say what is in them, not whose it is. */
const GENERIC = /^(logs?|reports?|results?|eval(uation)?|outputs?|trajs?|instances?)$/i;

/** In a collection of submissions the logs lie below each one's own folder: `<submission>/logs/<instance>`. */
function systemFolder(dir: string): string {
  let folder = dir;
  while (GENERIC.test(basename(folder)) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

function isLogged({ dir }: FoundFile): boolean {
  return basename(dirname(dirname(dirname(dir)))) === "run_evaluation";
}

export function instanceIn(value: unknown, instance: string): unknown {
  const report = field(value, instance);
  return isObject(report) && "resolved" in report ? report : undefined;
}

function verdictOf(report: unknown): Verdict {
  const isResolved = booleanAt(report, "resolved");
  if (isResolved) return graded(1);
  if (
    booleanAt(report, "patch_successfully_applied") === false &&
    booleanAt(report, "patch_exists") !== false
  )
    return ungraded("agent", "the patch does not apply");
  return isResolved === undefined ? ungraded("grader", "no verdict was recorded") : graded(0);
}

/** How many of the tests that must pass did, and of those that must not break. */
export function testsOf(report: unknown): Metrics {
  const tests = field(report, "tests_status");
  if (!isObject(tests)) return {};
  const metrics: Metrics = {};
  let passed = 0;
  let total = 0;
  for (const [kind, name] of [
    ["FAIL_TO_PASS", "fail_to_pass"],
    ["PASS_TO_PASS", "pass_to_pass"],
  ] as const) {
    const [good, bad] = (["success", "failure"] as const).map((key) => lengthOf(field(tests, kind, key)));
    if (good === undefined || bad === undefined) return {};
    if (good + bad > 0) metrics[name] = good / (good + bad);
    passed += good;
    total += good + bad;
  }
  return { ...metrics, tests_passed: passed, tests_total: total };
}

function lengthOf(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

/** What an instance's log says of an evaluation that ended in an error; undefined where there is no log. */
export function whyErrored(instanceDir: string): "patch" | "other" | undefined {
  try {
    const log = readFileSync(join(instanceDir, "run_instance.log"), "utf8");
    return log.includes("Patch Apply Failed") ? "patch" : "other";
  } catch {
    return undefined;
  }
}
