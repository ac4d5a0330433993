import * as z from "zod";
import { sims } from "../../packages/sims/src/index.ts";
import { UserError } from "../core/errors.ts";
import type { Params, Value } from "../core/params.ts";
import { type DeclaredStudy, type TargetRef, USUAL_LIMITS, type Variant } from "../core/study.ts";
import type { Warning } from "../core/warning.ts";
import { checkRepeats, checkShape, jsonValue, late } from "./check-shape.ts";
import type { Dialect } from "./dialect.ts";
import { stem } from "./native.ts";
import type { SourceFile } from "./source-file.ts";

const value = jsonValue;
const list = z.array(value).min(1);

const NOTES = ["description", "notes", "comment", "_comment", "author", "date", "version", "tags"];

const schema = late(() =>
  z.strictObject({
    name: z.string().min(1).optional(),
    sim_binary: z.string().min(1).optional(),
    out_root: z.string().min(1).default("bench_runs"),
    common_args: z.object({ seed: z.int().optional() }).catchall(value).default({}),
    matrix: z
      .object({
        seeds: z.array(z.int()).min(1).optional(),
        ablations: z
          .array(z.strictObject({ name: z.string().min(1), flags: z.array(z.string()).default([]) }))
          .min(1)
          .default([{ name: "baseline", flags: [] }]),
      })
      .catchall(list),
    jobs: z.int().positive().default(1),
    order: z.enum(["planned", "interleaved"]).default("planned"),
    // Words for people, which the runner of these files passes over.
    ...Object.fromEntries(NOTES.map((key) => [key, value.optional()])),
  }),
);

const OTHER_SIMULATOR: Warning = {
  kind: "other-simulator",
  level: "info",
  text: "Assay's own simulator made these numbers, not agent_sched_sim: in virtual time, with arms that are paired, escalation that takes effect and workflows that need up to three iterations. So they differ from that program's, and so may the order of the policies: see \"Where it differs from the original\" in docs/simulator.md.",
};

/** The matrix file of the scheduler sweeps: `common_args`, a `matrix` with `seeds` and `ablations`, `jobs`. */
export const matrixJson: Dialect = {
  name: "matrix-json",
  description: "matrix sweep file: sim_binary, common_args, matrix with seeds and ablations, jobs",
  detects({ data }) {
    const matrix = data.matrix;
    if ("study" in data || "target" in data || typeof matrix !== "object" || matrix === null) return false;
    return (
      ["common_args", "sim_binary"].some((key) => key in data) || "seeds" in matrix || "ablations" in matrix
    );
  },
  parse(file) {
    const spec = checkShape(schema(), file);
    const { seeds, ablations, ...axes } = spec.matrix as { seeds?: number[]; ablations: Ablation[] } & Record<
      string,
      Value[]
    >;
    const { seed = 1, ...common } = spec.common_args;
    // Another program has metrics and parameters of its own.
    const isSimulator =
      spec.sim_binary === undefined ||
      ["policy", "workflows"].every((name) => name in axes || name in common);
    const study: DeclaredStudy = {
      name: spec.name ?? stem(file.path),
      target: readTarget(spec.sim_binary, file),
      params: common,
      // The order of the original: product over sorted keys, then seed, then ablation.
      axes: Object.keys(axes)
        .sort()
        .map((name) => ({ names: [name], rows: axes[name]!.map((item) => [item]) })),
      variants: ablations.map((ablation, index) =>
        readAblation(ablation, { simBinary: spec.sim_binary, file, index }),
      ),
      seeds: seeds ?? [seed],
      repeats: { warmup: 0, measured: 1 },
      iterations: { warmup: 0, measured: 1 },
      instruments: [],
      limits: USUAL_LIMITS,
      executor: { kind: "", jobs: spec.jobs },
      artifacts: "all",
      analysis: isSimulator ? { metric: "makespan_p95_ms", goal: "minimize" } : {},
      outRoot: spec.out_root,
      env: {},
    };
    const { flags: ablationFlags } = sims.simulator;
    const isAblated = ablations.some(({ flags }) =>
      flags.some((flag) => ablationFlags.includes(flag.slice(2))),
    );
    if (isSimulator || isAblated) study.programFlags = ablationFlags;
    if (isSimulator) study.label = "${policy}__wf${workflows}__seed${seed}__${variant}";
    if (spec.sim_binary === undefined) study.warnings = [OTHER_SIMULATOR];
    study.order = spec.order;
    const notes = NOTES.flatMap((key) =>
      file.data[key] === undefined ? [] : [`${key}: ${noteText(file.data[key])}`],
    );
    if (notes.length > 0) study.notes = notes.join("\n");
    checkRepeats(study, file);
    return study;
  },
  paths: {
    param: (name, { study: { axes, params } }) => {
      if (axes.some(({ names }) => names.includes(name))) return ["matrix", name];
      return name in params ? ["common_args", name] : ["matrix", "ablations"];
    },
  },
};

function noteText(note: unknown): string {
  return typeof note === "string" ? note : JSON.stringify(note);
}

type Ablation = { name: string; flags: string[] };

function readTarget(simBinary: string | undefined, file: SourceFile): TargetRef {
  if (simBinary === undefined) return { kind: "shipped", name: sims.simulator.target };
  return {
    kind: "command",
    argv: [simBinary, "${args}", "--seed", "${seed}", "--out_dir", "${out_dir}"],
    cwd: file.callerDir,
    watch: [],
  };
}

/** For the shipped simulator the flags become parameters; a program gets them as they are. */
function readAblation(
  { name, flags }: Ablation,
  { simBinary, file, index }: { simBinary: string | undefined; file: SourceFile; index: number },
): Variant {
  if (simBinary !== undefined) return { name, params: {}, flags };
  const params: Params = {};
  for (const [i, flag] of flags.entries()) {
    const match = /^--([A-Za-z_][\w-]*)(?:=(.*))?$/s.exec(flag);
    if (!match) {
      throw new UserError("", {
        place: file.locate(["matrix", "ablations", index, "flags", i]),
        expected: "a flag such as --disable_hedging or --key=value",
        got: JSON.stringify(flag),
      });
    }
    params[match[1]!.replaceAll("-", "_")] = readFlagValue(match[2]);
  }
  return { name, params, flags };
}

function readFlagValue(text: string | undefined): Value {
  if (text === undefined || text === "true") return true;
  if (text === "false") return false;
  return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}
