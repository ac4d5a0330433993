import { rounded } from "../core/number-text.ts";
import type { Params, Value } from "../core/params.ts";
import type { Study } from "../core/study.ts";
import { levelText, type Placement, wordsOf } from "./factors.ts";

/** Of a study, what tells its runs apart. */
export type Named = Pick<Study, "axes" | "variants" | "seeds" | "tasks" | "repeats" | "isStamped" | "search">;

/**
 * What a run is called where people read it, by what the runs of its study differ in: `small, seed 2`,
 * `solver on greet, rollout 1`. Empty in a study of one run.
 */
export function runNamer(study: Named): (run: Placement) => string {
  const axes = study.axes.filter(({ rows }) => rows.length > 1).flatMap(axisWords);
  const searched = study.search?.space.filter(({ distribution }) => distribution.kind !== "constant") ?? [];
  const { warmup, measured } = study.repeats;
  const drawn = study.isStamped ? "rollout" : "seed";
  return (run) => {
    const arm = [
      ...axes.map((word) => word(run.params)),
      ...searched.map(({ name, path }) => pointWord(name, valueAt(run.params, path))),
      study.variants.length > 1 && run.variant,
    ].filter(Boolean);
    const task = run.task === null ? "" : taskName(run.task);
    const what = [arm.join(", "), task].filter(Boolean).join(" on ");
    return [
      what,
      (study.seeds.length > 1 || study.isStamped) && `${drawn} ${run.seed}`,
      warmup + measured > 1 && `repeat ${run.repeat}`,
    ]
      .filter(Boolean)
      .join(", ");
  };
}

/** The last part of a task's path. */
export function taskName(task: string): string {
  return task.split("/").at(-1) ?? task;
}

/** A word says what it is, a number does not. */
function axisWords({ names, rows }: Study["axes"][number]): ((params: Params) => string)[] {
  return names.map((name, column) => {
    const values = rows.map((row) => row[column]!);
    const words = wordsOf(new Map(values.map((value) => [levelText(value), value])));
    const saysItself = values.every((value) => typeof value === "string" || isObject(value));
    return (params) => {
      const value = params[name];
      if (value === undefined) return "";
      const word = words.get(levelText(value)) ?? levelText(value);
      return saysItself ? word : `${name}=${word}`;
    };
  });
}

function pointWord(name: string, value: Value | undefined): string {
  if (value === undefined) return "";
  const text = typeof value === "number" ? String(rounded(value, 4)) : levelText(value);
  return `${name}=${text}`;
}

function valueAt(params: Params, path: readonly string[]): Value | undefined {
  let value: Value | undefined = params;
  for (const key of path) value = isObject(value) ? (value as Params)[key] : undefined;
  return value;
}

function isObject(value: Value | undefined): boolean {
  return typeof value === "object" && value !== null;
}
