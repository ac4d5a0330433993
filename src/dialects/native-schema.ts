import * as z from "zod";
import { parseWholeNumbers } from "../core/number-text.ts";
import { jsonValue } from "./check-shape.ts";
import { command } from "./native-command.ts";
import { amountSchema, decideSchema, doomedSchema } from "./native-ending-schema.ts";
import { queueSchema, slurmSchema } from "./native-executor-schema.ts";
import { scoreSchema } from "./native-score-schema.ts";
import { searchSchema } from "./native-search-schema.ts";
import { servicesSchema } from "./native-service-schema.ts";
import { duration, iterationCount, size } from "./quantities.ts";

const value = jsonValue;
const params = z.record(z.string().min(1), value);
const text = z.string().min(1);
const positiveInt = (description: string) => z.int().positive().optional().describe(description);

const axis = z.union([
  z.array(value).min(1),
  z.strictObject({
    values: z.array(value).min(1).describe("The values of the axis."),
    when: text.optional().describe("The axis applies only where this condition holds."),
  }),
]);

const MOST_SEEDS = 10_000_000;
const SEEDS =
  "whole numbers such as [1, 2, 3], a range such as 11..20, a count such as 15, or {count: 15, base: 1072}";
const isSeedText = (words: string) => /,|\.\./.test(words) && parseWholeNumbers(words) !== undefined;
const seeds = z.union(
  [
    z.array(z.int()).min(1),
    z.int().positive().max(MOST_SEEDS),
    z.string().refine(isSeedText, { error: SEEDS }),
    z.strictObject({ count: z.int().positive().max(MOST_SEEDS), base: z.int().default(1) }),
  ],
  { error: SEEDS },
);

/** The native study file. The reference in docs/ and the exported JSON Schema are made from it. */
export const nativeSchema = z.strictObject({
  $schema: z.string().optional().describe("For editors; Assay ignores it."),
  extends: z
    .union([text, z.array(text)])
    .optional()
    .describe("Study files to build on. This file wins; named values merge, lists replace."),
  study: text.optional().describe("Name of the study and of its folder. Default: the file's name."),
  question: text
    .optional()
    .describe("What the study is to answer, in one sentence; the report opens with it."),
  target: z
    .union([text, command], {
      error: "a shipped target's name, a ./file.ts or ./file.py, or {command: [program, ...]}",
    })
    .describe(
      "What to measure: a shipped target's name, a ./file.ts, a ./file.py or ./file.py:NAME, or {command: [...]}.",
    ),
  params: params.default({}).describe("Parameters that stay the same in every run."),
  matrix: z
    .record(text, axis)
    .default({})
    .describe("Parameters that vary: each a list of values, or {values, when}. The runs are their product."),
  zip: z
    .array(z.record(text, z.array(value).min(1)))
    .default([])
    .describe("Groups of parameters that vary together: lists of equal length."),
  search: searchSchema.optional(),
  variants: z
    .array(
      z.union([
        text,
        z.strictObject({ name: text, params: params.default({}), flags: z.array(z.string()).default([]) }),
      ]),
    )
    .min(1)
    .default(["baseline"])
    .describe(
      "Named changes (ablations): a name alone changes nothing; {name, params, flags} changes parameters and adds command-line flags.",
    ),
  where: text
    .optional()
    .describe(
      "Keeps only the runs for which this condition holds, such as policy == 'full' || variant == 'baseline'.",
    ),
  seeds: seeds.default([1]).describe("Seeds: a list, a range (11..20), a count (1 to n), or {count, base}."),
  tasks: z
    .union([
      z.array(text).min(1),
      z.strictObject({
        subset: text.optional().describe("Only the tasks of this subset, such as long. Default: all."),
        slice: text.optional().describe("A part of the list, such as :10 or 5:20."),
        shuffle: z.boolean().optional().describe("Shuffle the list before it is sliced."),
        shuffleSeed: z.int().optional().describe("Fixes that order. Default: 42."),
      }),
      z.strictObject({
        file: text.describe(
          "A dataset: JSON lines, CSV or Parquet, relative to the study file. Each item is a task.",
        ),
        id: text.optional().describe("The field that names an item. Default: id, else its number."),
        where: text.optional().describe("Only items for which this condition holds over their fields."),
        sample: z.int().positive().optional().describe("So many of them, drawn at random."),
        sampleSeed: z.int().optional().describe("Fixes which ones. Default: 42."),
      }),
    ])
    .optional()
    .describe(
      "Tasks to run each cell on, one run per task: names, a selection of the target's tasks, or the items of a file. Arms are compared task by task.",
    ),
  repeats: z
    .union([
      z.int().positive(),
      z.strictObject({ warmup: z.int().nonnegative().default(0), measured: z.int().positive().default(1) }),
    ])
    .default(1)
    .describe("Measured repeats of each run, and warm-up calls before each one."),
  iterations: iterationCount
    .default({ warmup: 0, measured: 1 })
    .describe(
      "Measured calls of the target within one run, between one setup and one teardown, and warm-up calls before them.",
    ),
  instruments: z
    .array(z.union([text, z.looseObject({ name: text })]))
    .default([])
    .describe("What to measure in addition to the target's own metrics."),
  plugins: z
    .array(text)
    .default([])
    .describe(
      "Your own files that add instruments, executors, reporters, sinks, searchers, stoppers, models, sandboxes or importers: ./my-reporter.ts.",
    ),
  order: z
    .enum(["turns", "planned", "interleaved"])
    .optional()
    .describe(
      "turns: each seed and task in all cells (some 64 at a time) before the next, so that every arm has runs from the start. interleaved: the same in rounds, each in a new random order, one run at a time unless jobs says otherwise. planned: one point of the matrix after the other, its variants in turn. Default: interleaved for benchmarks (several iterations that are timed), else turns.",
    ),
  limits: z
    .strictObject({
      timeout: duration(
        "Longest time for one attempt with all of its iterations, such as 10m. Default: none.",
      ).optional(),
      grace: duration("Time between asking a run to end (TERM) and killing it.").prefault("5s"),
      retries: z.int().nonnegative().default(0).describe("Further attempts after an infrastructure failure."),
      backoff: duration("Pause before the first retry; it doubles each time.").prefault("1s"),
      costUsd: z
        .number()
        .positive()
        .optional()
        .describe(
          "No new run starts once this launch has cost this much. Of a search: once all of its launches have.",
        ),
      totalCostUsd: z
        .number()
        .positive()
        .optional()
        .describe("No new run starts once all launches of the study together have cost this much."),
      calls: positiveInt("Calls to models that all runs together may make."),
      tokens: positiveInt("Tokens that all runs together may use, in and out."),
      callsPerMinute: positiveInt("Calls to models that may begin within any minute, of all runs together."),
      callsAtOnce: positiveInt("Calls to models that may run in parallel, over all runs."),
      wall: duration("Longest time for one launch; what runs then is ended, and missing.").optional(),
      stdout: size("Bytes kept of each of stdout and stderr.").prefault("10MB"),
      doomed: doomedSchema
        .optional()
        .describe(
          "Ends runs that go longer without progress than runs do that succeed. Their arm's first runs set the limit. Default: never.",
        ),
    })
    .prefault({})
    .describe("Bounds on each run and on the study."),
  executor: z
    .union([
      text,
      z.strictObject({
        kind: text.optional(),
        jobs: z.int().positive().optional().describe("Runs at the same time. Default: the machine's cores."),
        slots: z
          .array(z.record(text, z.union([z.string(), z.number().transform(String)])))
          .min(1)
          .optional()
          .describe(
            'One place per entry, with environment variables of its own, such as {CUDA_VISIBLE_DEVICES: "0"}: each run has one to itself, so as many run at once.',
          ),
        queue: queueSchema.optional(),
        slurm: slurmSchema.optional(),
      }),
    ])
    .default({})
    .describe(
      "Where runs execute: thread (modules), process (programs), queue (workers on any machine), slurm (a cluster). Default: what the target needs.",
    ),
  services: servicesSchema.optional(),
  models: z
    .strictObject({
      cache: z
        .union([z.boolean(), text])
        .default(false)
        .describe(
          "Keep answers and give them again to the same request of the same seed, task and repeat. true: in .assay-models beside the study file; or name a folder.",
        ),
      perMinute: positiveInt("Calls that may begin within any minute, as limits.callsPerMinute."),
      concurrent: positiveInt("Calls that may run in parallel, as limits.callsAtOnce."),
      budgetUsd: z
        .number()
        .positive()
        .optional()
        .describe("Dollars that all launches together may spend, as limits.totalCostUsd."),
      prices: text.optional().describe("A file with your own prices per model."),
      tries: z
        .int()
        .positive()
        .default(6)
        .describe("Tries at a call that meets 429, 529, 5xx or a broken connection, with growing pauses."),
    })
    .optional()
    .describe(
      "Your program's calls to language models go through a gateway, which sets OPENAI_BASE_URL, ANTHROPIC_BASE_URL, GOOGLE_GEMINI_BASE_URL and keys for each run: metered, limited, tried again, traced and cached.",
    ),
  score: scoreSchema.optional(),
  artifacts: z.enum(["all", "failed", "none"]).default("all").describe("Which runs keep their own folder."),
  analysis: z
    .strictObject({
      metric: text.optional().describe("The metric the study is about."),
      goal: z.enum(["minimize", "maximize"]).optional().describe("Which direction is better."),
      also: z
        .array(
          z.union([
            text,
            z.strictObject({ metric: text, goal: z.enum(["minimize", "maximize"]).optional() }),
          ]),
        )
        .optional()
        .describe("More metrics for the answer to mention: names, or {metric, goal}."),
      baseline: z
        .union([text, z.number(), z.boolean(), params], {
          error: "an arm, such as {policy: fifo}, or the value that tells it: fifo",
        })
        .optional()
        .describe(
          "The arm to compare the others with: {policy: fifo}, or fifo where only one parameter has that value.",
        ),
      pairBy: z
        .array(text)
        .optional()
        .describe("What pairs runs of two arms. Default: seed and the other axes."),
      scale: z
        .enum(["difference", "ratio"])
        .optional()
        .describe(
          "Compare the metric by differences of means or by ratios of geometric means. Default: ratios for values above 0 that multiply.",
        ),
      margin: amountSchema
        .optional()
        .describe(
          "The smallest difference that matters, as `compare --margin` takes it: in the metric's unit, or 5% of the baseline's mean.",
        ),
      decide: decideSchema
        .optional()
        .describe("Run in rounds and stop when the answer is in, with an error that holds at every look."),
    })
    .default({})
    .describe("How the results are judged."),
  outRoot: text.default("bench_runs").describe("Folder for results; the study gets a folder in it."),
  env: z
    .record(text, z.string())
    .default({})
    .describe(
      "Environment variables for programs and modules, in addition to the inherited ones. Keep secrets out of here: set them in your shell.",
    ),
  label: text.optional().describe("The readable part of run ids, such as ${policy}__seed${seed}."),
});

export type NativeStudy = z.output<typeof nativeSchema>;
