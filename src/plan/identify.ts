import { canonicalJson, hashText, shortHash } from "../core/hash.ts";
import { nestParams } from "../core/nest-params.ts";
import { rounded } from "../core/number-text.ts";
import { ownName, type Params } from "../core/params.ts";
import type { Run } from "../core/run.ts";
import type { Study } from "../core/study.ts";

type Point = Pick<Run, "params" | "variant" | "flags">;
type Place = Pick<Run, "seed" | "task" | "repeat"> & { taskVersion?: string | undefined };

/** Stands for one cell measured with one state of the program. */
export function cellKey(point: Point, program: string): string {
  const { params, variant, flags } = point;
  return hashText(canonicalJson([program, params, variant, flags]));
}

/** 12 hex digits that stand for a run: two runs share them only if nothing that matters differs. */
export function runHash(key: string, { seed, task, taskVersion, repeat }: Place): string {
  // No name of a task has a NUL, so none can be taken for another one with a version.
  const content = taskVersion === undefined ? "" : `\0${taskVersion}`;
  return shortHash(`${key}|${seed}|${repeat}|${task ?? ""}${content}`);
}

/** Which place of the matrix a run stands at, whatever the fixed parameters, the program and the task's content are. */
export function slotHash(run: Point & Place, axisNames: readonly string[]): string {
  const coordinates: Params = {};
  for (const name of axisNames) if (run.params[name] !== undefined) coordinates[name] = run.params[name];
  const { variant, flags, seed, task, repeat } = run;
  return runHash(cellKey({ params: coordinates, variant, flags }, "slot"), { seed, task, repeat });
}

/**
 * The readable part of an id from a template such as `${policy}__seed${seed}`. `hide` takes secrets out of
 * the values themselves: changed into a part of a file's name, nobody would know them any more.
 */
export function fillLabel(
  template: string,
  values: Record<string, unknown>,
  hide: (text: string) => string = (text) => text,
): string {
  const filled = template.replaceAll(/\$\{([^}]+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return slug(typeof value === "string" ? hide(value) : value);
  });
  return filled
    .replaceAll(NOT_IN_NAMES, "-")
    .replaceAll(/(^_+|_+$)/g, "")
    .replace(HIDDEN, "")
    .replaceAll(/_{3,}/g, "__");
}

const LONGEST = 96;
/** A folder whose name begins with a dot is hidden, and taken for no run's. */
const HIDDEN = /^\.[._-]*/;

/**
 * The readable part of a cell's ids, as a function of seed, task and repeat: a million seeds of one cell fill in its
 * other values once.
 */
export function cellLabel(
  template: string,
  values: Record<string, unknown>,
  hide: (text: string) => string,
): (place: Place) => string {
  // `+` may stand in a label, so these marks pass through like any other text.
  const marks = { seed: "+seed+", task: "+task+", repeat: "+repeat+" };
  const text = fillLabel(template, { ...values, ...marks }, hide);
  const parts = text.split(/\+(seed|task|repeat)\+/);
  if (parts.length === 1) return () => text.slice(0, LONGEST);
  return ({ seed, task, repeat }) => {
    let label = "";
    for (let i = 0; i < parts.length; i++)
      label +=
        i % 2 === 0
          ? parts[i]
          : parts[i] === "seed"
            ? seed
            : parts[i] === "repeat"
              ? repeat
              : slug(task === null ? null : hide(task));
    return label.replace(HIDDEN, "").slice(0, LONGEST);
  };
}

/** The template for studies that give none: axis values, seed, variant, repeat where each one varies. */
export function defaultLabel(axes: { names: string[]; rows: unknown[][] }[]): string {
  const parts = axes.flatMap(({ names, rows }) =>
    names.map((name, column) => {
      const wordy = rows.every((row) => typeof row[column] === "string");
      return wordy ? `\${${name}}` : `${slug(name)}\${${name}}`;
    }),
  );
  return [...parts, "seed${seed}", "${variant}"].join("__");
}

/** Ids name folders: nothing but this may stand in them. */
const NOT_IN_NAMES = /[^A-Za-z0-9._+-]+/g;

/** A value as a part of a name: a number to four digits, an object by its own name; the hash behind it tells the rest. */
function slug(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" && !Number.isInteger(value)) return slug(String(rounded(value, 4)));
  const isShort =
    Array.isArray(value) && value.length <= 3 && value.every((item) => typeof item !== "object");
  const text = isShort
    ? value.join("+")
    : typeof value === "object"
      ? (ownName(value) ?? shortHash(canonicalJson(value)))
      : String(value);
  return text.replaceAll(NOT_IN_NAMES, "-").slice(0, 40);
}

/**
 * What a run measures besides its own place in the matrix: the state of the code, and how it is called. `code` is the
 * target's fingerprint; scorers count where what they say decides which runs there are, services always. What is as it is by default adds nothing. Each addition stands behind a space and has no space
 * in it, and a fingerprint ends with a hash or a version without one, so that no two programs share a text.
 */
export function describeProgram(
  code: string,
  { target, env, repeats, iterations }: Study,
  { scorers = {}, services = [] }: { scorers?: Record<string, string>; services?: readonly string[] } = {},
): string {
  const { folder, metrics } = target.kind === "command" ? target : {};
  const parts = [code];
  if (folder !== undefined) parts.push(`cwd#${shortHash(folder)}`);
  if (metrics !== undefined) parts.push(`metrics#${shortHash(canonicalJson(metrics))}`);
  if (Object.keys(scorers).length > 0) parts.push(`score#${shortHash(canonicalJson(scorers))}`);
  if (services.length > 0) parts.push(`services#${shortHash(canonicalJson([...services]))}`);
  if (Object.keys(env).length > 0) parts.push(`env#${shortHash(canonicalJson(env))}`);
  const { measured, batch, timeMs, until } = iterations;
  // A warm-up call is one, whichever key asks for it.
  const warmup = repeats.warmup + iterations.warmup;
  if (warmup > 0 || measured > 1 || batch !== undefined)
    parts.push(
      `x${warmup}+${measured}${batch === undefined ? "" : `*${batch}`}${timeMs === undefined ? "" : `<${timeMs}ms`}${until === undefined ? "" : `~${until}`}`,
    );
  return parts.join(" ");
}

const PARTS =
  /^(?<code>.*?)(?<tasks> tasks#\w+)?(?<cwd> cwd#\w+)?(?<metrics> metrics#\w+)?(?<score> score#\w+)?(?<services> services#\w+)?(?<env> env#\w+)?(?: x\d+\+(?<measured>\d+)(?:\*\w+)?(?:<[\d.]+ms)?(?:~[\d.e-]+)?)?$/s;

function partsOf(program: string): Record<string, string | undefined> {
  return PARTS.exec(program)?.groups ?? {};
}

export const PROGRAM_CHANGED = "program changed";

/** What differs between two programs, in words: the code, the tasks that it brought, or how it is called. */
export function explainProgram(before: string, now: string): string {
  const [was, is] = [partsOf(before), partsOf(now)];
  if (was.code !== is.code) return PROGRAM_CHANGED;
  if (was.tasks !== is.tasks) return "tasks changed";
  if (was.cwd !== is.cwd) return "working folder changed";
  if (was.metrics !== is.metrics) return "patterns of metrics changed";
  if (was.score !== is.score) return "scorers changed";
  if (was.services !== is.services) return "services changed";
  return was.env === is.env ? "iterations changed" : "environment variables changed";
}

/** How many measured iterations the runs of such a program have. */
export function iterationsOf(program: string): number {
  return Number(partsOf(program).measured ?? 1);
}

/** The study at one point of its search: what the searcher chose are parameters like any others. */
export function studyAt(study: Study, point: Params): Study {
  const space = study.search?.space ?? [];
  const params = nestParams(point, space);
  const names = Object.keys(params);
  if (names.length === 0) return study;
  const axes = [...study.axes, { names, rows: [names.map((name) => params[name]!)] }];
  const chosen = space
    .filter(({ name, distribution }) => distribution.kind !== "constant" && Object.hasOwn(point, name))
    .map(({ name, path }) =>
      slug(typeof point[name] === "string" ? point[name] : `${path.at(-1)}${slug(point[name])}`),
    );
  return { ...study, axes, label: study.label ?? [...chosen, defaultLabel(study.axes)].join("__") };
}
