import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Metrics } from "../../core/run.ts";
import { booleanAt, field, isObject, textAt } from "../trajectories/json-fields.ts";
import { findTrajectories } from "../trajectories/read-trajectory-file.ts";
import { instanceInName } from "../trajectories/reader.ts";
import { FoundFile, readHead, readJsonIfAny } from "./found-file.ts";
import { BrokenImport, type ImportedTrial, type ImportReader } from "./import-reader.ts";
import { systemFolder } from "./resolved-lists.ts";
import { graded, ungraded, type Verdict } from "./verdict.ts";

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
    // In a collection of submissions the logs lie below each one's own folder: `<submission>/logs/<instance>`.
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

function isLogged({ dir }: FoundFile): boolean {
  return basename(dirname(dirname(dirname(dir)))) === "run_evaluation";
}

function instanceIn(value: unknown, instance: string): unknown {
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
function testsOf(report: unknown): Metrics {
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
function whyErrored(instanceDir: string): "patch" | "other" | undefined {
  try {
    const log = readFileSync(join(instanceDir, "run_instance.log"), "utf8");
    return log.includes("Patch Apply Failed") ? "patch" : "other";
  } catch {
    return undefined;
  }
}

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
    verdict: verdictOfList(list, dir, reason),
    metrics: testsOf(detail),
    exit: list.replace(/_ids$/, ""),
    trajectory,
  });
}

function verdictOfList(list: (typeof LISTS)[number], dir: string, reason: string | null): Verdict {
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

interface RunName {
  /** As the harness writes it in the names of files: `/` is `__`. */
  model: string;
  run: string;
}

/**
 * The report's file is called `<model>.<run>.json`, and both parts may hold dots. The logs or the predictions beside it
 * tell where the model's name ends; without them the last dot does.
 */
function runNameOf(stem: string, dir: string): RunName {
  const models = [
    ...modelsPredicted(dir).map(inFileNames),
    ...modelsLogged(join(dir, "logs", "run_evaluation")),
  ];
  const model = models.filter((name) => stem.startsWith(`${name}.`)).sort((a, b) => b.length - a.length)[0];
  if (model !== undefined) return { model, run: stem.slice(model.length + 1) };
  const dot = stem.lastIndexOf(".");
  return dot < 0 ? { model: "", run: stem } : { model: stem.slice(0, dot), run: stem.slice(dot + 1) };
}

/** `logs/run_evaluation/<run>/<model>` */
function modelsLogged(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true })
    .filter((run) => run.isDirectory())
    .flatMap((run) => readdirSync(join(dir, run.name)));
}

const HEAD_BYTES = 1 << 20;
/** Without escapes: names of models have none. */
const NAME = /"model_name_or_path"\s*:\s*"([^"\\]+)"/g;

/** Names of the models whose predictions lie in a folder: preds.json, all_preds.jsonl, predictions.jsonl, ... */
function modelsPredicted(dir: string): string[] {
  const files = readdirSync(dir).filter((name) => /pred.*\.jsonl?$/i.test(name));
  const names = files.flatMap((name) =>
    [...readHead(join(dir, name), HEAD_BYTES).matchAll(NAME)].map(([, model]) => model!),
  );
  return [...new Set(names)];
}

/** How the harness writes a model's name in the names of its files. */
function inFileNames(model: string): string {
  return model.replaceAll("/", "__");
}

interface Facts {
  instance: string;
  /** As the harness writes it in the names of files. */
  model: string;
  run: string;
  verdict: Verdict;
  metrics: Metrics;
  exit: string;
  trajectory?: string | undefined;
}

/** The harness knows models only: whatever agent made the predictions is part of that name. */
function trialOf({ instance, model, run, verdict, metrics, exit, trajectory }: Facts): ImportedTrial {
  return {
    key: `${run}/${model}/${instance}`,
    task: instance,
    agent: null,
    model: model === "" ? null : model.replace("__", "/"),
    outcome: verdict.outcome,
    metrics: { ...verdict.metrics, ...metrics },
    labels: { exit, job: run },
    ...(trajectory !== undefined && { trajectory }),
  };
}
