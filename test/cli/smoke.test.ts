import { afterEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { outputSchemas } from "../../src/api/output-schemas.ts";
import { createProgram } from "../../src/cli/program.ts";
import { UserError } from "../../src/core/errors.ts";
import { RandomStream } from "../../src/core/random.ts";
import type { RunRecord } from "../../src/core/run.ts";
import type { Study } from "../../src/core/study.ts";
import { aResult, aSearch, unit } from "../support/a-search.ts";
import { aStudy, axis } from "../support/a-study.ts";
import { recordsOf, studyFolder } from "../support/a-study-folder.ts";
import { TempFolder } from "../support/temp-folder.ts";

const NUMBERS = new RandomStream(1, "smoke");
const noise = (key: string) =>
  NUMBERS.uniform([...key].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) >>> 0);

/** A folder with one study in it, called `study`, and its first run. */
interface Shape {
  folder: TempFolder;
  run: string;
}

const SHAPES: Record<string, () => Promise<Shape> | Shape> = {
  seeds: () =>
    ofRecords(
      aStudy({
        axes: [axis("policy", "fifo", "full")],
        seeds: [1, 2, 3, 4, 5, 6],
        analysis: { metric: "latency_ms", goal: "minimize", baseline: { policy: "fifo" } },
      }),
      ({ params, seed }) => ({
        latency_ms: (params.policy === "fifo" ? 100 : 70) + 9 * noise(`${params.policy}${seed}`),
      }),
    ),
  "tasks x rollouts": () =>
    ofRecords(
      aStudy({
        axes: [axis("agent", "plain", "wise")],
        tasks: ["a", "b", "c", "d", "e", "f"],
        seeds: [1, 2, 3],
        analysis: { metric: "score", goal: "maximize", baseline: { agent: "plain" } },
      }),
      ({ params, seed, task }) => ({
        score: Number(noise(`${params.agent}${seed}${task}`) > (params.agent === "wise" ? 0.4 : 0.6)),
      }),
    ),
  "benchmark iterations": () => {
    const study = aStudy({
      axes: [axis("lines", 10, 100)],
      iterations: { warmup: 1, measured: 4 },
      repeats: { warmup: 0, measured: 3 },
      order: "interleaved",
      analysis: { metric: "duration_ms_p50", goal: "minimize" },
    });
    const shape = ofRecords(study, ({ params, repeat }) => ({
      duration_ms_p50: Number(params.lines) + noise(`${params.lines}${repeat}`),
    }));
    const iterations = [1, 2, 3, 4].map((index) => ({
      index,
      duration_s: noise(String(index)),
      metrics: {},
    }));
    const result = { name: "study", run_id: shape.run, status: "ok", iteration_metrics: iterations };
    shape.folder.write(`study/runs/${shape.run}/result.json`, JSON.stringify(result));
    return shape;
  },
  search: () => {
    const records = Array.from({ length: 20 }, (_, i) => {
      const x = noise(`x${i}`);
      return {
        ...aResult({ x }, { f: (x - 0.3) ** 2 + noise(`f${i}`) / 50 }),
        id: `point-${i}`,
        program: "noop@1",
      };
    });
    const study = aStudy({ search: aSearch({ x: unit }), analysis: { metric: "f", goal: "minimize" } });
    return { folder: written(study, records), run: records[0]!.id };
  },
  import: async () => {
    const folder = new TempFolder();
    for (const agent of ["claude-code", "codex"])
      for (let task = 0; task < 6; task++)
        for (const trial of ["x", "y"])
          folder.write(`jobs/task-${task}__${agent}-${trial}/result.json`, trialOf({ agent, task, trial }));
    const { importResults } = await import("../../src/api/import-results.ts");
    await importResults([`${folder.path}/jobs`], { name: "study", outRoot: folder.path });
    const run = (JSON.parse(folder.read("study/journal.jsonl").split("\n")[0]!) as RunRecord).id;
    return { folder, run };
  },
};

function ofRecords(study: Study, measure: (run: RunRecord) => RunRecord["metrics"]): Shape {
  const records = recordsOf(study, (run) => ({ metrics: measure(run) }));
  return { folder: written(study, records), run: records[0]!.id };
}

function written(study: Study, records: readonly RunRecord[]): TempFolder {
  using made = studyFolder({ ...study, name: "study" }, records);
  return new TempFolder({
    "study/study.json": made.read("study.json"),
    "study/journal.jsonl": made.read("journal.jsonl"),
  });
}

function trialOf({ agent, task, trial }: { agent: string; task: number; trial: string }): string {
  return JSON.stringify({
    ...{ id: `${agent}-${task}-${trial}`, task_name: `task-${task}`, trial_name: trial, source: "ours" },
    agent_info: { name: agent, version: "1", model_info: { name: "m", provider: "p" } },
    agent_result: { n_input_tokens: 100, n_output_tokens: 10, cost_usd: 0.1 },
    verifier_result: { rewards: { reward: Number(noise(`${agent}${task}${trial}`) > 0.5) } },
    exception_info: null,
    ...{ started_at: "2026-01-30T10:00:00", finished_at: "2026-01-30T10:02:00" },
  });
}

/** Every command that reads a study, as a user types it. */
const COMMANDS: Record<string, string[]> = {
  status: ["status", "study"],
  show: ["show", "RUN", "--study", "study"],
  export: ["export", "study"],
  query: ["query", "study", "SELECT * FROM runs"],
  report: ["report", "study", "--no-plots"],
  compare: ["compare", "study"],
  "compare with a gate": ["compare", "study", "--margin", "5%", "--fail-on", "regression"],
  "power for a precision": ["power", "study", "--precision", "0.05"],
  power: ["power", "study"],
  "power for an effect": ["power", "study", "--effect", "5%"],
  rank: ["rank", "study"],
  best: ["best", "study"],
  "chart of arms": ["report", "study", "--chart", "arms", "--out", "ROOT/arms.svg"],
  "chart of pairs": ["report", "study", "--chart", "paired", "--out", "ROOT/paired.svg"],
  "chart of profiles": ["report", "study", "--chart", "profile", "--out", "ROOT/profile.svg"],
  "chart of quantiles": ["report", "study", "--chart", "qq", "--out", "ROOT/qq.svg"],
  "chart of resamples": ["report", "study", "--chart", "bootstrap", "--out", "ROOT/bootstrap.svg"],
  "compare in other words": ["compare", "study", "--effects", "--adjust", "simultaneous"],
  history: ["history", "study"],
  summarize: ["summarize", "study"],
};

/** What a shape can't be asked: in one message, never with a stack. */
const NO_SEARCH = { best: expect.stringContaining("study is no search") };
const NO_TASKS = { summarize: expect.stringContaining("study is not a study of rollouts") };
const ONE_ARM = expect.stringMatching(/one arm/);
const REFUSED: Record<string, Record<string, unknown>> = {
  seeds: { ...NO_SEARCH, ...NO_TASKS },
  "tasks x rollouts": NO_SEARCH,
  "benchmark iterations": { ...NO_SEARCH, ...NO_TASKS },
  search: {
    ...NO_TASKS,
    ...{ compare: ONE_ARM, "compare with a gate": ONE_ARM, "compare in other words": ONE_ARM, rank: ONE_ARM },
    "chart of pairs": ONE_ARM,
    "chart of quantiles": expect.stringContaining("no arm has three seeds"),
    "chart of resamples": expect.stringContaining("has 1 value and this needs at least 3"),
    power: expect.stringContaining("a spread needs at least 2"),
    "power for an effect": expect.stringContaining("a spread needs at least 2"),
  },
  import: NO_SEARCH,
};

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = 0;
});

async function said(words: string[]): Promise<{ out: string } | { refused: string }> {
  let out = "";
  const take = (chunk: unknown) => {
    out += String(chunk);
    return true;
  };
  vi.spyOn(console, "log").mockImplementation((line) => take(`${line}\n`));
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(process.stdout, "write").mockImplementation(take);
  vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  try {
    await createProgram().parseAsync(["node", "assay", ...words]);
    return { out };
  } catch (error) {
    if (error instanceof UserError) return { refused: error.message };
    throw new Error(`assay ${words.join(" ")}: ${String(error)}`, { cause: error });
  } finally {
    vi.restoreAllMocks();
  }
}

/** Read by another library than the one that wrote the schema. */
function fitsSchema(text: string, command: string): void {
  const schema = z.fromJSONSchema(outputSchemas()[`${command}.json`] as never);
  expect(schema.safeParse(JSON.parse(text)).error?.message, command).toBeUndefined();
}

describe.each(Object.keys(SHAPES))("a study of %s", (name) => {
  test("is read by every command, as text and as JSON", async () => {
    const { folder, run } = await SHAPES[name]!();
    using _ = folder;
    const words = (command: string) =>
      COMMANDS[command]!.map((word) => word.replaceAll("ROOT", folder.path).replaceAll("RUN", run)).concat(
        "--out-root",
        folder.path,
      );
    const refusals: Record<string, string> = {};
    for (const command in COMMANDS) {
      const plain = await said(words(command));
      const told = await said([...words(command), "--json"]);
      if ("refused" in plain) {
        refusals[command] = plain.refused;
        expect(told, command).toEqual(plain);
        continue;
      }
      expect(plain.out, command).not.toMatch(/undefined|NaN|\[object/);
      expect(plain.out.trim(), command).not.toBe("");
      fitsSchema("out" in told ? told.out : "", words(command)[0]!);
    }
    expect(refusals).toEqual(REFUSED[name] ?? {});
  });
});

test("commands that read no study print as JSON what their schemas say, warnings as data", async () => {
  using folder = new TempFolder({
    "a/night.json": JSON.stringify({ resolved_ids: ["x-1"], unresolved_ids: [], error_ids: [] }),
    "b/day.json": JSON.stringify({ resolved_ids: [], unresolved_ids: ["x-1"], error_ids: [] }),
    "plain.json": JSON.stringify({ study: "plain", target: "noop" }),
  });
  const from = ["a", "b"].map((name) => `${folder.path}/${name}`);
  const commands = [
    ["import", ...from, "--name", "study", "--out-root", folder.path],
    ["plan", `${folder.path}/plain.json`],
    ["sim", "--workflows", "1"],
    ["time", "true", "--runs", "2"],
  ];
  for (const words of commands) {
    const told = await said([...words, "--json"]);
    const text = "out" in told ? told.out : JSON.stringify(told);
    fitsSchema(text, words[0]!);
    expect(JSON.parse(text).warnings, text).toEqual(expect.any(Array));
  }
});
