import * as z from "zod";
import { UserError } from "../../core/errors.ts";
import { shownValue } from "../../core/explain-issue.ts";
import { type DeclaredStudy, type InstrumentRef, type Study, USUAL_LIMITS } from "../../core/study.ts";
import { checkRepeats, checkShape, jsonValue, late } from "../check-shape.ts";
import type { Declared, Dialect } from "../dialect.ts";
import { below, fileOrName, isFileName, targetFile } from "../named-file.ts";
import { readTarget, stem } from "../native.ts";
import { command } from "../native-command.ts";
import { iterationCount, readIterations } from "../quantities.ts";
import type { SourceFile } from "../source-file.ts";

const text = z.string().min(1);
const params = z.record(text, jsonValue);

/** What one experiment says; a file of several has these keys in each of them, and beside them what all share. */
const experimentSchema = late(() =>
  z.strictObject({
    experiment: z.union([text, command], {
      error: "a shipped experiment's name, a ./file.ts or ./file.py, or {command: [program, ...]}",
    }),
    params: params.default({}),
    sweep: z.record(text, z.array(jsonValue).min(1)).default({}),
    strategy: z.enum(["cartesian", "random"]).default("cartesian"),
    samples: z.int().positive().optional(),
    iterations: iterationCount.default(1),
    interleave: z.union([z.boolean(), z.strictObject({ rounds: z.int().positive() })]).optional(),
    instrumentation: z
      .array(z.union([text, z.looseObject({ name: text, options: params.optional() })]))
      .default(["timing"]),
    plugins: z.array(text).default([]),
    parallelism: z.int().positive().default(1),
    output_dir: text.optional(),
    tags: z.array(z.union([text, z.number().transform(String)])).default([]),
    notes: text.optional(),
    seed: z.int().default(1),
  }),
);

/** `parameters:` is the page of additional ones; the four are of earlier versions of the original framework. */
const LOOSE = {
  nested: "parameters",
  earlier: ["buffer_sizes", "use_in_memory_db", "observation_radius", "steps"],
};

const ROUNDS = 10;
/** Fewer iterations than this stay together: what each start would have is too little to find its fastest. */
const WORTH_SPLITTING = 10;
const FEWEST_ROUNDS = 5;

/** The spec files of an agent simulation's benchmarks: one experiment, or several below `experiments:`. */
export const benchSpec: Dialect = {
  name: "bench-spec",
  description: "benchmark spec: experiment(s), params, sweep, iterations, instrumentation",
  detects: ({ data }) => "experiment" in data || "experiments" in data,
  parse(file) {
    const [first, second] = this.parseAll!(file);
    if (!second) return first!.study;
    throw new UserError("the file declares several experiments, and this takes one", {
      place: file.locate(["experiments"]),
      remedy: "`assay run` and `assay plan` take them all.",
    });
  },
  parseAll: (file) => {
    const parts = "experiments" in file.data ? splitFile(file) : [file];
    const declared = parts.map((part, index) => ({
      study: readExperiment(part, { file, index, isOnly: parts.length === 1 }),
      file: part,
    }));
    refuseTwins(declared, file);
    return declared;
  },
  paths: {
    target: ["experiment"],
    param: (name, { file }) => [Object.hasOwn(file.data.sweep ?? {}, name) ? "sweep" : "params", name],
  },
};

/** Each experiment as a file of its own: what it does not say, the top of the file says for all. */
function splitFile(file: SourceFile): SourceFile[] {
  const { experiments, ...shared } = file.data;
  if (!Array.isArray(experiments) || experiments.length === 0) {
    throw new UserError("", {
      place: file.locate(["experiments"]),
      expected: "a list of experiments",
      got: shownValue(experiments),
    });
  }
  return experiments.map((item: unknown, index): SourceFile => {
    const own = typeof item === "string" ? { experiment: item } : (item as Record<string, unknown>);
    if (typeof own !== "object" || own === null || Array.isArray(own)) {
      throw new UserError("", {
        place: file.locate(["experiments", index]),
        expected: "an experiment's name, or its keys",
        got: shownValue(item),
      });
    }
    const both = { ...(shared.params as object | undefined), ...(own.params as object | undefined) };
    const data = { ...shared, ...own, ...(Object.keys(both).length > 0 && { params: both }) };
    const isOwn = ([key]: readonly (string | number)[]) => key === undefined || key in own;
    return {
      ...file,
      data,
      locate: (path) => file.locate(isOwn(path) ? ["experiments", index, ...path] : path),
      scalarAt: (path) => file.scalarAt(isOwn(path) ? ["experiments", index, ...path] : path),
      dirOf: (path) => file.dirOf(path),
    };
  });
}

function readExperiment(
  part: SourceFile,
  place: { file: SourceFile; index: number; isOnly: boolean },
): DeclaredStudy {
  const spec = checkShape(experimentSchema(), part);
  const { strategy, samples, seed, interleave } = spec;
  if (strategy === "random" && samples === undefined) {
    throw new UserError("strategy: random needs samples", {
      place: part.locate(["strategy"]),
      remedy: "For instance samples: 10.",
    });
  }
  if (strategy === "cartesian" && samples !== undefined) {
    throw new UserError("samples is for strategy: random", {
      place: part.locate(["samples"]),
      remedy: "Add strategy: random, or leave samples out.",
    });
  }
  const twice = Object.keys(spec.sweep).find((name) => name in spec.params);
  if (twice !== undefined) {
    throw new UserError(`${twice} is in both params and sweep`, {
      place: part.locate(["sweep", twice]),
      remedy: "Remove one of them.",
    });
  }
  const instruments = spec.instrumentation.map((item) => readInstrument(item, part));
  const study: DeclaredStudy = {
    ...placeResults(spec, place),
    target: targetOf(spec.experiment, part),
    params: spec.params,
    axes: Object.entries(spec.sweep).map(([name, values]) => ({
      names: [name],
      rows: values.map((value) => [value]),
    })),
    variants: [{ name: "baseline", params: {}, flags: [] }],
    seeds: [seed],
    ...splitRounds(spec.iterations, interleave),
    instruments,
    limits: USUAL_LIMITS,
    executor: { kind: "", jobs: spec.parallelism },
    artifacts: "all",
    analysis: {},
    env: {},
    resultFiles: true,
    open: {
      loose: LOOSE,
      lists: samples === undefined ? {} : { sample: { count: samples, seed } },
      ...(instruments.some(({ name }) => name === "timing") && {
        analysis: { metric: "duration_ms", goal: "minimize" },
      }),
    },
  };
  if (interleave !== false) study.order = "interleaved";
  if (spec.plugins.length > 0) {
    const dir = part.dirOf(["plugins"]);
    study.plugins = spec.plugins.map((path) => below(dir, path));
  }
  if (spec.tags.length > 0) study.tags = spec.tags;
  if (spec.notes !== undefined) study.notes = spec.notes;
  checkRepeats(study, { ...part, locate: ([, ...path]) => part.locate(["sweep", ...path]) });
  return study;
}

/** A target by its name, a file, or `{command: [...]}`. */
function targetOf(experiment: Experiment["experiment"], file: SourceFile): DeclaredStudy["target"] {
  if (typeof experiment === "string" && isFileName(experiment))
    return targetFile(file.dirOf(["experiment"]), experiment);
  return readTarget(experiment, {
    ...file,
    dirOf: ([, ...path]) => file.dirOf(["experiment", ...path]),
    locate: ([, ...path]) => file.locate(["experiment", ...path]),
  });
}

/** `bench.py:SortBenchmark` is SortBenchmark; a program is known by its script, or by itself. */
function experimentName(experiment: Experiment["experiment"]): string {
  if (typeof experiment === "string") return /\.py:(\w+)$/.exec(experiment)?.[1] ?? stem(experiment);
  const command = [experiment.command].flat().join(" ").split(/\s+/);
  return stem(command.find((word) => /\.\w+$/.test(word)) ?? command[0]!);
}

function readInstrument(item: Experiment["instrumentation"][number], file: SourceFile): InstrumentRef {
  const dir = file.dirOf(["instrumentation"]);
  if (typeof item === "string") return { name: fileOrName(dir, item), options: {} };
  const { name, options, ...rest } = item;
  return { name: fileOrName(dir, name), options: { ...(rest as InstrumentRef["options"]), ...options } };
}

function refuseTwins(declared: readonly Declared[], file: SourceFile): void {
  const seen = new Set<string>();
  for (const [index, { study }] of declared.entries()) {
    const folder = `${study.outRoot}/${study.name}`;
    if (seen.has(folder)) {
      throw new UserError(`two experiments would write to ${folder}`, {
        place: file.locate(["experiments", index]),
        remedy: "Give each its own output_dir.",
      });
    }
    seen.add(folder);
  }
}

const DEFAULT_ROOT = "bench_runs";

/**
 * The study's folder is `output_dir`. An experiment among several that does not name its own gets a folder by its
 * name, in the one that the file names for all.
 */
function placeResults(
  { experiment, output_dir: dir }: Experiment,
  { file, index, isOnly }: { file: SourceFile; index: number; isOnly: boolean },
): Pick<Study, "name" | "outRoot"> {
  const own = (file.data.experiments as Record<string, unknown>[] | undefined)?.[index];
  const isShared = !isOnly && (typeof own !== "object" || !("output_dir" in own));
  if (isShared)
    return { outRoot: dir ?? `${DEFAULT_ROOT}/${stem(file.path)}`, name: experimentName(experiment) };
  if (dir === undefined) return { outRoot: DEFAULT_ROOT, name: stem(file.path) };
  const parts = dir.replace(/\/+$/, "").split("/");
  const name = parts.pop()!;
  return { outRoot: parts.join("/") || (dir.startsWith("/") ? "/" : "."), name };
}

/**
 * Arms that take turns need their iterations in rounds: a round is a repeat of the run, with its own setup and
 * warm-up. Where nobody says how many, ten or more iterations become five to ten rounds of about four, since
 * iterations of one start say nothing about the next. There are never fewer iterations than asked, and a time is shared
 * among the rounds.
 */
export function splitRounds(
  asked: Experiment["iterations"],
  interleave: Experiment["interleave"],
): Pick<Study, "repeats" | "iterations"> {
  const iterations = readIterations(asked);
  const { measured, timeMs } = iterations;
  const rounds = roundsOf(measured, interleave);
  if (rounds === 1) return { repeats: { warmup: 0, measured: 1 }, iterations };
  if (timeMs !== undefined)
    return {
      repeats: { warmup: 0, measured: rounds },
      iterations: { ...iterations, timeMs: timeMs / rounds },
    };
  const perRound = Math.ceil(measured / Math.min(rounds, measured));
  return {
    repeats: { warmup: 0, measured: Math.ceil(measured / perRound) },
    iterations: { ...iterations, measured: perRound },
  };
}

function roundsOf(measured: number, interleave: Experiment["interleave"]): number {
  if (interleave === false) return 1;
  if (interleave === true) return ROUNDS;
  if (interleave !== undefined) return interleave.rounds;
  if (measured < WORTH_SPLITTING) return 1;
  return Math.min(ROUNDS, Math.max(FEWEST_ROUNDS, Math.floor(measured / 4)));
}

type Experiment = z.output<ReturnType<typeof experimentSchema>>;
