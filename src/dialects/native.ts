import type { Dataset } from "../core/dataset.ts";
import { UserError } from "../core/errors.ts";
import type { ExecutorChoice } from "../core/executor.ts";
import { parseExpression, RUN_NAMES } from "../core/expression.ts";
import { parseWholeNumbers } from "../core/number-text.ts";
import type { Params, Value } from "../core/params.ts";
import type {
  Amount,
  Analysis,
  Axis,
  Decide,
  DeclaredStudy,
  InstrumentRef,
  Limits,
  Matrix,
  Variant,
} from "../core/study.ts";
import { listed } from "../core/suggest.ts";
import { checkRepeats, checkShape } from "./check-shape.ts";
import type { Dialect } from "./dialect.ts";
import { below, fileOrName, isFileName, targetFile } from "./named-file.ts";
import { commandRef } from "./native-command.ts";
import { type NativeStudy, nativeSchema } from "./native-schema.ts";
import { readScorers } from "./native-score-schema.ts";
import { readSearch } from "./native-search.ts";
import { readServices } from "./native-service-schema.ts";
import { readIterations } from "./quantities.ts";
import type { SourceFile } from "./source-file.ts";

export const native: Dialect = {
  name: "native",
  description: "Assay's own study file (YAML, TOML or JSON)",
  detects: ({ data }) => "study" in data || "target" in data || "extends" in data,
  parse(file) {
    const spec = checkShape(nativeSchema, file);
    const axes = [...readMatrix(spec), ...readZip(spec, file)];
    const seeds = readSeeds(spec.seeds);
    const { timeout, grace, backoff, stdout, wall, ...bounds } = spec.limits;
    const executor = typeof spec.executor === "string" ? { kind: spec.executor } : spec.executor;
    const study: DeclaredStudy = {
      name: spec.study ?? stem(file.path),
      target: readTarget(spec.target, file),
      params: spec.params,
      axes,
      variants: spec.variants.map(readVariant),
      seeds,
      repeats: typeof spec.repeats === "number" ? { warmup: 0, measured: spec.repeats } : spec.repeats,
      iterations: readIterations(spec.iterations),
      instruments: spec.instruments.map((instrument) => readInstrument(instrument, file)),
      limits: {
        timeoutMs: timeout ?? 0,
        graceMs: grace,
        backoffMs: backoff,
        stdoutBytes: stdout,
        ...(bounds as Pick<Limits, keyof typeof bounds>),
        ...(wall !== undefined && { wallMs: wall }),
      },
      executor: { ...executor, kind: executor.kind ?? "", jobs: executor.jobs ?? 0 } as ExecutorChoice,
      artifacts: spec.artifacts,
      analysis: readAnalysis(spec, axes, file),
      outRoot: spec.outRoot,
      env: spec.env,
    };
    if ("iterations" in file.data) study.resultFiles = true;
    if (spec.plugins.length > 0)
      study.plugins = spec.plugins.map((path) => below(file.dirOf(["plugins"]), path));
    const order = spec.order ?? (isBenchmark(study) ? "interleaved" : "turns");
    if (order !== "turns") study.order = order;
    // Runs at the same time would disturb each other, which is what rounds are to avoid.
    if (order === "interleaved") study.executor.jobs ||= 1;
    if (Array.isArray(spec.tasks)) study.tasks = distinctTasks(spec.tasks, file);
    else if (spec.tasks && "file" in spec.tasks) study.open = { dataset: readDataset(spec.tasks, file) };
    else if (spec.tasks) study.open = { tasks: dropUndefined(spec.tasks) };
    if (spec.models) Object.assign(study, readModels(spec.models, study.limits, file));
    if (spec.services) study.services = readServices(spec.services, file);
    if (spec.score) study.score = readScorers(spec.score, file);
    if (spec.where !== undefined) study.where = spec.where;
    if (spec.search) study.search = readSearch(spec.search, study, file);
    if (spec.question !== undefined) study.question = spec.question;
    if (spec.label !== undefined) study.label = spec.label;
    checkRepeats(study, file);
    checkConditions(study, file);
    return study;
  },
};

/** Whether it times something again and again, so that it matters what else the machine does. */
function isBenchmark({ iterations, instruments, search }: DeclaredStudy): boolean {
  return iterations.measured > 1 && search === undefined && instruments.some(({ name }) => name === "timing");
}

/** Conditions are parsed here for their place in the file; the plan parses them again to use them. */
function checkConditions({ params, axes, variants, where }: Matrix, file: SourceFile): void {
  const fixed = [{ params }, ...variants].flatMap((one) => Object.keys(one.params));
  const names = [...fixed, ...axes.flatMap((axis) => axis.names)];
  const check = (text: string | undefined, known: string[], path: string[]) => {
    try {
      if (text !== undefined) parseExpression(text, known);
    } catch (error) {
      throw error instanceof UserError ? error.at(file.locate(path)) : error;
    }
  };
  for (const axis of axes) check(axis.when, names, ["matrix", axis.names[0]!, "when"]);
  check(where, [...names, ...RUN_NAMES], ["where"]);
}

export function stem(path: string): string {
  return path
    .split("/")
    .at(-1)!
    .replace(/\.[^.]+$/, "");
}

/** A target by its name, a file, or a program. */
export function readTarget(target: NativeStudy["target"], file: SourceFile): DeclaredStudy["target"] {
  if (typeof target !== "string") return commandRef(target, file, ["target"]);
  const dir = file.dirOf(["target"]);
  if (!isFileName(target)) return { kind: "named", name: target };
  return targetFile(dir, target);
}

function readMatrix({ matrix }: NativeStudy): Axis[] {
  return Object.entries(matrix).map(([name, axis]) => {
    const values = Array.isArray(axis) ? axis : axis.values;
    const when = Array.isArray(axis) ? undefined : axis.when;
    const rows = values.map((value) => [value]);
    return when === undefined ? { names: [name], rows } : { names: [name], rows, when };
  });
}

function readZip({ zip }: NativeStudy, file: SourceFile): Axis[] {
  return zip.map((group, index) => {
    const names = Object.keys(group);
    const lengths = names.map((name) => group[name]!.length);
    if (new Set(lengths).size !== 1) {
      throw new UserError("", {
        place: file.locate(["zip", index]),
        expected: "lists of equal length, since they move together",
        got: names.map((name, i) => `${name}: ${lengths[i]}`).join(", ") || "no list",
      });
    }
    return {
      names,
      rows: Array.from({ length: lengths[0]! }, (_, row) => names.map((name) => group[name]![row]!)),
    };
  });
}

function readSeeds(seeds: NativeStudy["seeds"]): number[] {
  if (Array.isArray(seeds)) return seeds;
  if (typeof seeds === "string") return parseWholeNumbers(seeds)!;
  const { count, base } = typeof seeds === "number" ? { count: seeds, base: 1 } : seeds;
  return Array.from({ length: count }, (_, i) => base + i);
}

function distinctTasks(tasks: string[], file: SourceFile): string[] {
  const twice = tasks.find((task, i) => tasks.indexOf(task) < i);
  if (twice === undefined) return tasks;
  throw new UserError(`the task "${twice}" is listed twice`, {
    place: file.locate(["tasks"]),
    remedy: "Use repeats: to run something more than once.",
  });
}

function readDataset({ file: path, ...rest }: DatasetKeys, file: SourceFile): Dataset {
  return { path: below(file.dirOf(["tasks"]), path), ...dropUndefined(rest) };
}

type DatasetKeys = Extract<NativeStudy["tasks"], { file: string }>;

/** The same limits as everywhere, under names that say whose calls they are about. */
function readModels(
  declared: NonNullable<NativeStudy["models"]>,
  limits: Limits,
  file: SourceFile,
): Pick<DeclaredStudy, "models" | "limits"> {
  const { cache, prices, tries, budgetUsd, perMinute, concurrent } = declared;
  const given = dropUndefined({
    ...{ totalCostUsd: budgetUsd, callsPerMinute: perMinute, callsAtOnce: concurrent },
  });
  const twice = Object.keys(given).find((name) => limits[name as keyof Limits] !== undefined);
  if (twice !== undefined)
    throw new UserError(`models: and limits.${twice} say the same thing`, {
      place: file.locate(["models"]),
      expected: "one of them",
      got: "both",
    });
  const dir = file.dirOf(["models"]);
  return {
    limits: { ...limits, ...given },
    models: {
      tries,
      ...(cache !== false && { cacheDir: below(dir, cache === true ? ".assay-models" : cache) }),
      ...(prices !== undefined && { pricesFile: below(dir, prices) }),
    },
  };
}

function readVariant(variant: NativeStudy["variants"][number]): Variant {
  return typeof variant === "string" ? { name: variant, params: {}, flags: [] } : variant;
}

function readInstrument(instrument: NativeStudy["instruments"][number], file: SourceFile): InstrumentRef {
  const dir = file.dirOf(["instruments"]);
  if (typeof instrument === "string") return { name: fileOrName(dir, instrument), options: {} };
  const { name, ...options } = instrument;
  return { name: fileOrName(dir, name), options: options as InstrumentRef["options"] };
}

function dropUndefined<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(object).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}

/** A metric by its name alone is one without a goal of its own. */
function readAnalysis(
  { analysis: { also, decide, margin, baseline, ...rest }, variants }: NativeStudy,
  axes: readonly Axis[],
  file: SourceFile,
): Analysis {
  const analysis: Analysis = dropUndefined(rest);
  if (baseline !== undefined)
    analysis.baseline = readBaseline(baseline, [...axes, variantAxis(variants)], file);
  if (margin !== undefined) analysis.margin = readAmount(margin);
  if (decide) analysis.decide = readDecide(decide, file.dirOf(["analysis"]));
  if (also)
    analysis.also = also.map((entry) =>
      typeof entry === "string" ? { metric: entry } : dropUndefined(entry),
    );
  return analysis;
}

/** Variants tell arms apart as the values of a parameter do. */
function variantAxis(variants: NativeStudy["variants"]): Axis {
  return { names: ["variant"], rows: variants.map((variant) => [readVariant(variant).name]) };
}

/** A value alone stands for its parameter where only one has it. */
function readBaseline(
  baseline: NonNullable<NativeStudy["analysis"]["baseline"]>,
  axes: readonly Axis[],
  file: SourceFile,
): Params {
  const place = file.locate(["analysis", "baseline"]);
  const shown = ([name, value]: [string, Value]) => `{${name}: ${JSON.stringify(value)}}`;
  const arms = axes.flatMap(({ names, rows }) =>
    names.flatMap((name, i) =>
      [...new Set(rows.map((row) => row[i]!))].map((v): [string, Value] => [name, v]),
    ),
  );
  if (typeof baseline === "object") {
    for (const given of Object.entries(baseline)) {
      const values = arms.filter(([name]) => name === given[0]).map(([, value]) => JSON.stringify(value));
      if (values.length === 0 || values.includes(JSON.stringify(given[1]))) continue;
      throw new UserError("", { place, expected: `${given[0]}: ${listed(values)}`, got: shown(given) });
    }
    return baseline;
  }
  const found = arms.filter(([, value]) => value === baseline);
  if (found.length === 1) return Object.fromEntries(found);
  throw new UserError("", {
    place,
    expected: "a value that one parameter has",
    got: `${JSON.stringify(baseline)}, which ${found.length === 0 ? "none has" : `${found.map(shown).join(" and ")} have`}`,
    remedy: `Name the parameter: ${(found.length > 0 ? found : arms).slice(0, 3).map(shown).join(", ")}.`,
  });
}

function readDecide(
  { until, margin, precise, history, ...rest }: NonNullable<NativeStudy["analysis"]["decide"]>,
  dir: string,
): Decide {
  return {
    until: until ?? (precise === undefined ? "decided" : "precise"),
    ...dropUndefined(rest),
    ...(margin !== undefined && { margin: readAmount(margin) }),
    ...(precise !== undefined && { precise: readAmount(precise) }),
    ...(history !== undefined && { history: below(dir, history) }),
  };
}

function readAmount(amount: number | string): Amount {
  if (typeof amount === "number") return { value: amount, isShare: false };
  return { value: Number.parseFloat(amount) / 100, isShare: true };
}
