import { basename, dirname, resolve } from "node:path";
import { field, isObject } from "../trajectories/json-fields.ts";
import type { FoundFile } from "./found-file.ts";
import type { ImportedTrial, ImportReader } from "./import-reader.ts";
import { graded, ungraded, type Verdict } from "./verdict.ts";

/** Names of folders that say what is in them, not whose it is. */
const GENERIC = /^(logs?|reports?|results?|eval(uation)?s?|outputs?|trajs?|instances?)$/i;

/** The folder that a system's results lie in, further up than those that only say what is in them. */
export function systemFolder(dir: string): string {
  let folder = dir;
  while (GENERIC.test(basename(folder)) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** `<submission>/results/results.json` of SWE-bench's experiments, or any JSON object with a list `resolved`. */
export const resolvedList: ImportReader = {
  name: "swe-bench",
  looksFor: "results.json with resolved, as in SWE-bench's experiments",
  claims: (file) =>
    file.name.endsWith(".json") && /"resolved"\s*:\s*\[/.test(file.head()) && listOf(file) !== undefined,
  *read(file) {
    const lists = file.json() as Record<string, unknown>;
    const resolved = new Set(namesIn(lists.resolved));
    const all = new Set(Object.values(lists).flatMap(namesIn));
    for (const instance of all) {
      const exits = Object.keys(lists).filter((key) => namesIn(lists[key]).includes(instance));
      const verdict = resolved.has(instance) ? graded(1) : unresolved(exits);
      yield trialIn(file, instance, verdict, resolved.has(instance) ? "resolved" : exits.at(-1)!);
    }
  },
};

/** `eval_results.json` of SWE-bench Pro: whether each instance was resolved. */
export const resolvedMap: ImportReader = {
  name: "swe-bench",
  looksFor: "eval_results.json with true or false for each instance, as of SWE-bench Pro",
  claims: (file) => file.name.endsWith("eval_results.json") && isMap(file.jsonIfAny()),
  *read(file) {
    for (const [instance, isResolved] of Object.entries(file.json() as Record<string, boolean>))
      yield trialIn(file, instance, graded(isResolved ? 1 : 0), isResolved ? "resolved" : "unresolved");
  },
};

function listOf(file: FoundFile): unknown {
  const list = field(file.jsonIfAny(), "resolved");
  return Array.isArray(list) && list.every((item) => typeof item === "string") ? list : undefined;
}

function isMap(value: unknown): value is Record<string, boolean> {
  const values = isObject(value) ? Object.values(value) : [];
  return values.length > 0 && values.every((item) => typeof item === "boolean");
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

/** What the lists say of an instance that was not resolved: no patch is a zero, an evaluation that broke is missing. */
function unresolved(lists: readonly string[]): Verdict {
  const broken = lists.find((list) => /^(no_logs|install_fail|reset_failed|test_errored|error)/.test(list));
  if (broken !== undefined) return ungraded("grader", `listed under ${broken}`);
  return lists.includes("no_apply") ? ungraded("agent", "the patch does not apply") : graded(0);
}

/** The system is called as its folder is; a file that lies in none has no name, which whoever imports it may give it. */
function trialIn(
  file: FoundFile,
  instance: string,
  { outcome, metrics }: Verdict,
  exit: string,
): ImportedTrial {
  const folder = systemFolder(resolve(file.dir));
  const system = basename(folder);
  return {
    key: `${basename(dirname(folder))}/${system}/${file.name}/${instance}`,
    task: instance,
    agent: null,
    model: system === "" ? null : system,
    ...{ outcome, metrics },
    labels: { exit, job: system },
  };
}
