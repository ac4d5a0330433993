import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { loadStudy, prepareStudy, studySchema } from "../../src/index.ts";
import { TempFolder } from "../support/temp-folder.ts";

type Data = Record<string, unknown>;

const FILES = {
  "run.sh": "echo hello\n",
  "more.txt": "more\n",
  "base.yaml": "params: {}\n",
  "in/run.sh": "echo hello\n",
};

async function idsOf(folder: TempFolder, study: Data, file = "study.yaml"): Promise<string[]> {
  const { plan } = await prepareStudy(loadStudy(folder.write(file, stringify(study))));
  return [...plan.runs()].map(({ id }) => id.slice(-12));
}

const STUDY = {
  target: { command: ["sh", "run.sh", "${args}"] },
  params: { lr: 0.1 },
  matrix: { n: [5] },
};
const target = (part: Data) => ({ ...STUDY, target: { ...STUDY.target, ...part } });
const service = (part: Data) => ({ ...STUDY, services: [{ command: ["sh", "run.sh"], ...part }] });
const withLimit = (part: Data) => ({ ...STUDY, limits: part });

/** Another value for each key of a study file, where it makes other runs. */
const COUNTS: Record<string, Data> = {
  "target.command": target({ command: ["sh", "run.sh", "${args}", "-v"] }),
  "target.cwd": target({ cwd: "in" }),
  "target.watch": target({ watch: ["more.txt"] }),
  "target.version": target({ version: "2" }),
  "target.metrics": target({ metrics: { score: "score (.+)" } }),
  params: { ...STUDY, params: { lr: 0.2 } },
  matrix: { ...STUDY, matrix: { n: [6] } },
  "matrix.values": { ...STUDY, matrix: { n: { values: [6] } } },
  "matrix.when": { ...STUDY, matrix: { n: { values: [5], when: "lr > 1" } } },
  zip: { ...STUDY, zip: [{ a: [1], b: [2] }] },
  "variants.name": { ...STUDY, variants: ["other"] },
  "variants.params": { ...STUDY, variants: [{ name: "baseline", params: { lr: 0.2 } }] },
  "variants.flags": { ...STUDY, variants: [{ name: "baseline", flags: ["--off"] }] },
  seeds: { ...STUDY, seeds: [2] },
  "seeds.base": { ...STUDY, seeds: { count: 1, base: 2 } },
  tasks: { ...STUDY, tasks: ["first"] },
  "repeats.warmup": { ...STUDY, repeats: { warmup: 1 } },
  iterations: { ...STUDY, iterations: 3 },
  "iterations.warmup": { ...STUDY, iterations: { warmup: 1 } },
  "iterations.measured": { ...STUDY, iterations: { measured: 2 } },
  env: { ...STUDY, env: { LEVEL: "1" } },
  services: service({}),
  "services.name": service({ name: "db" }),
  "services.command": service({ command: ["sh", "run.sh", "-v"] }),
  "services.cwd": service({ cwd: "in" }),
  "services.watch": service({ watch: ["more.txt"] }),
  "services.version": service({ version: "2" }),
  "services.per": service({ per: "run" }),
  "services.reset": service({ reset: ["sh", "run.sh"] }),
  "services.provides": service({ provides: { DB: "${port}" } }),
};

/** Why another value leaves the runs what they are, with one to prove it by where any is easily had. */
const COUNTS_NOT: Record<string, { why: string; study?: Data }> = {
  $schema: { why: "for editors", study: { ...STUDY, $schema: "x" } },
  extends: { why: "what it brings counts where it stands", study: { ...STUDY, extends: "base.yaml" } },
  study: { why: "a name", study: { ...STUDY, study: "other" } },
  question: { why: "words", study: { ...STUDY, question: "why?" } },
  label: { why: "words", study: { ...STUDY, label: "other" } },
  variants: { why: "its keys count" },
  target: { why: "its keys count" },
  where: { why: "chooses among the runs", study: { ...STUDY, where: "lr < 1" } },
  "seeds.count": { why: "adds runs", study: { ...STUDY, seeds: { count: 1 } } },
  "tasks.subset": { why: "chooses among the tasks" },
  "tasks.slice": { why: "chooses among the tasks" },
  "tasks.shuffle": { why: "orders the tasks" },
  "tasks.shuffleSeed": { why: "orders the tasks" },
  "target.worker": { why: "how many runs a process does" },
  "tasks.file": { why: "names the tasks, whose content counts" },
  "tasks.id": { why: "names the tasks" },
  "tasks.where": { why: "chooses among the tasks" },
  "tasks.sample": { why: "chooses among the tasks" },
  "tasks.sampleSeed": { why: "chooses among the tasks" },
  repeats: { why: "adds runs: each has its repeat", study: { ...STUDY, repeats: 1 } },
  "repeats.measured": {
    why: "adds runs: each has its repeat",
    study: { ...STUDY, repeats: { measured: 1 } },
  },
  "iterations.batch": { why: "counts, but is for modules: see the test of batches" },
  "iterations.time": { why: "counts: see the test of batches" },
  "iterations.until": { why: "counts: see the test of batches" },
  search: { why: "chooses points, whose values are parameters" },
  instruments: { why: "they watch a run", study: { ...STUDY, instruments: ["timing"] } },
  "instruments.name": { why: "they watch a run" },
  plugins: { why: "they declare instruments" },
  order: { why: "which run comes first", study: { ...STUDY, order: "interleaved" } },
  limits: { why: "its keys bound a run" },
  "limits.timeout": { why: "a run that ended within it is what it was", study: withLimit({ timeout: "1h" }) },
  "limits.grace": { why: "after the run", study: withLimit({ grace: "1s" }) },
  "limits.retries": { why: "further attempts at the same", study: withLimit({ retries: 3 }) },
  "limits.backoff": { why: "between attempts", study: withLimit({ backoff: "9s" }) },
  "limits.costUsd": { why: "how many runs start", study: withLimit({ costUsd: 5 }) },
  "limits.calls": { why: "how many runs can end", study: withLimit({ calls: 5 }) },
  "limits.tokens": { why: "how many runs can end", study: withLimit({ tokens: 5 }) },
  "limits.callsPerMinute": { why: "how fast", study: withLimit({ callsPerMinute: 5 }) },
  "limits.callsAtOnce": { why: "how fast", study: withLimit({ callsAtOnce: 5 }) },
  "limits.wall": { why: "how many runs can end", study: withLimit({ wall: "1h" }) },
  "limits.totalCostUsd": { why: "how many runs start", study: withLimit({ totalCostUsd: 5 }) },
  "limits.doomed": { why: "which runs end early" },
  "limits.doomed.atLeast": { why: "which runs end early" },
  "limits.doomed.goal": { why: "which runs end early" },
  "limits.doomed.metric": { why: "which runs end early" },
  "limits.doomed.rate": { why: "which runs end early" },
  "limits.doomed.success": { why: "which runs end early" },
  "limits.stdout": { why: "what is kept of the output", study: withLimit({ stdout: "1MB" }) },
  executor: { why: "where a run runs", study: { ...STUDY, executor: "process" } },
  "executor.kind": { why: "where a run runs", study: { ...STUDY, executor: { kind: "process" } } },
  "executor.jobs": { why: "how many at once", study: { ...STUDY, executor: { jobs: 3 } } },
  "executor.slots": { why: "where a run runs", study: { ...STUDY, executor: { slots: [{ GPU: "0" }] } } },
  "executor.queue": { why: "where a run runs", study: { ...STUDY, executor: { queue: { priority: 1 } } } },
  "executor.slurm": { why: "where a run runs", study: { ...STUDY, executor: { slurm: { cpus: 1 } } } },
  artifacts: { why: "what is kept", study: { ...STUDY, artifacts: "none" } },
  analysis: { why: "how results are judged", study: { ...STUDY, analysis: { metric: "x" } } },
  "analysis.metric": { why: "how results are judged" },
  "analysis.goal": { why: "how results are judged" },
  "analysis.also": { why: "how results are judged" },
  "analysis.also.metric": { why: "how results are judged" },
  "analysis.also.goal": { why: "how results are judged" },
  "analysis.baseline": { why: "how results are judged" },
  "analysis.pairBy": { why: "how results are judged" },
  "analysis.margin": { why: "how results are judged" },
  "analysis.scale": { why: "how results are judged" },
  "analysis.decide": { why: "when the study ends" },
  "analysis.decide.assume": { why: "which runs come first" },
  "analysis.decide.history": { why: "which runs come first" },
  "analysis.decide.until": { why: "when the study ends" },
  "analysis.decide.margin": { why: "when the study ends" },
  "analysis.decide.precise": { why: "when the study ends" },
  "analysis.decide.alpha": { why: "when the study ends" },
  "analysis.decide.power": { why: "when the study ends" },
  "analysis.decide.range": { why: "when the study ends" },
  score: {
    why: "outputs are scored again, and runs stay what they are",
    study: { ...STUDY, score: { command: ["sh", "run.sh"] } },
  },
  "score.command": { why: "outputs are scored again" },
  "score.cwd": { why: "outputs are scored again" },
  "score.worker": { why: "outputs are scored again" },
  "score.watch": { why: "outputs are scored again" },
  "score.version": { why: "outputs are scored again" },
  "score.metrics": { why: "outputs are scored again" },
  "score.name": { why: "outputs are scored again" },
  "score.timeout": { why: "outputs are scored again" },
  "score.module": { why: "outputs are scored again" },
  "score.judge": { why: "outputs are scored again" },
  "score.judge.model": { why: "outputs are scored again" },
  "score.judge.criteria": { why: "outputs are scored again" },
  "score.judge.output": { why: "outputs are scored again" },
  "score.judge.repeats": { why: "outputs are scored again" },
  models: { why: "how its calls reach their models", study: { ...STUDY, models: {} } },
  "models.cache": { why: "where answers come from", study: { ...STUDY, models: { cache: true } } },
  "models.perMinute": { why: "how fast", study: { ...STUDY, models: { perMinute: 5 } } },
  "models.concurrent": { why: "how fast", study: { ...STUDY, models: { concurrent: 5 } } },
  "models.budgetUsd": { why: "how many runs can end", study: { ...STUDY, models: { budgetUsd: 5 } } },
  "models.prices": { why: "what is counted as spent", study: { ...STUDY, models: { prices: "p.yaml" } } },
  "models.tries": { why: "further attempts at the same", study: { ...STUDY, models: { tries: 2 } } },
  "services.ready": { why: "when the first run begins" },
  "services.ready.port": { why: "when the first run begins" },
  "services.ready.http": { why: "when the first run begins" },
  "services.ready.line": { why: "when the first run begins" },
  "services.timeout": { why: "when the first run begins" },
  outRoot: { why: "where results lie", study: { ...STUDY, outRoot: "elsewhere" } },
};

/** Keys below which names are the user's own, or other rooms'. */
const WHOLE = ["search", "executor.queue", "executor.slurm"];
const FREE = ["matrix"];

interface Schema {
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
}

function keysOf(schema: Schema, path = ""): string[] {
  if (WHOLE.includes(path)) return [];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, below]) => {
    const at = path === "" ? name : `${path}.${name}`;
    return [at, ...keysOf(below, at)];
  });
  const free =
    FREE.includes(path) && typeof schema.additionalProperties === "object"
      ? [schema.additionalProperties]
      : [];
  const nested = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : []), ...free];
  return [...new Set([...own, ...nested.flatMap((one) => keysOf(one, path))])];
}

describe("every key of a study file", () => {
  test("either is part of a run's identity or says why not", () => {
    expect(keysOf(studySchema()).sort()).toEqual([...Object.keys(COUNTS), ...Object.keys(COUNTS_NOT)].sort());
  });

  test.each(Object.keys(COUNTS))("%s makes other runs", async (key) => {
    using folder = new TempFolder(FILES);
    const [id] = await idsOf(folder, STUDY);
    expect(await idsOf(folder, COUNTS[key]!)).not.toContain(id);
  });

  test("a service's file, and each of its keys, makes other runs; when it is ready does not", async () => {
    using folder = new TempFolder({ ...FILES, "serve.sh": "true\n" });
    const own = { command: ["sh", "serve.sh"] };
    const before = await idsOf(folder, service(own));
    for (const ready of [{ port: 5432 }, { http: "/health" }, { line: "ready" }])
      expect(await idsOf(folder, service({ ...own, ready, timeout: "1s" }))).toEqual(before);
    for (const key of Object.keys(COUNTS).filter((one) => one.startsWith("services.")))
      expect(await idsOf(folder, COUNTS[key]!)).not.toEqual(before);
    folder.write("serve.sh", "false\n");
    expect(await idsOf(folder, service(own))).not.toEqual(before);
  });

  test.each(Object.entries(COUNTS_NOT).flatMap(([key, { study }]) => (study ? [{ key, study }] : [])))(
    "$key leaves runs what they are",
    async ({ study }) => {
      using folder = new TempFolder(FILES);
      expect(await idsOf(folder, study)).toEqual(await idsOf(folder, STUDY));
    },
  );

  test("batches of a module's calls make other runs", async () => {
    using folder = new TempFolder();
    const module = { target: "noop", iterations: { measured: 2 } };
    const batched = { ...module, iterations: { measured: 2, batch: 8 } };
    expect(await idsOf(folder, batched)).not.toEqual(await idsOf(folder, module));
    for (const rule of [{ time: "1s" }, { time: "2s" }, { until: 0.01 }, { until: "2 %" }])
      for (const other of [{}, { time: "3s" }, { until: "1.5 %" }])
        expect(await idsOf(folder, { ...module, iterations: { measured: 2, ...rule } })).not.toEqual(
          await idsOf(folder, { ...module, iterations: { measured: 2, ...other } }),
        );
  });
});

describe("a program's identity", () => {
  test("keeps words apart that have spaces in them", async () => {
    using folder = new TempFolder(FILES);
    const ids = await Promise.all(
      [["a b"], ["a", "b"], ['"a b"'], ['"a', 'b"'], ["a\\ b"], ["a", "", "b"]].map((words, i) =>
        idsOf(folder, target({ command: ["sh", "run.sh", ...words] }), `study${i}.yaml`),
      ),
    );
    expect(new Set(ids.flat()).size).toBe(6);
  });

  test("takes no version for a word", async () => {
    using folder = new TempFolder(FILES);
    const [plain] = await idsOf(folder, target({ command: ["sh", "run.sh"], version: "1 x0+2" }));
    const iterated = { ...target({ command: ["sh", "run.sh"], version: "1" }), iterations: 2 };
    expect(await idsOf(folder, iterated)).not.toContain(plain);
  });

  test("is the same wherever the study lies, and however its folder to run in is written", async () => {
    using here = new TempFolder(FILES);
    using there = new TempFolder(FILES);
    const expected = await idsOf(here, target({ cwd: "in" }));
    for (const cwd of ["in", "./in/", "in/../in", `${there.path}/in`])
      expect(await idsOf(there, target({ cwd }))).toEqual(expected);
    expect(await idsOf(there, target({ cwd: "." }))).toEqual(await idsOf(here, STUDY));
  });

  test("counts a warm-up call as one, whichever key asks for it", async () => {
    using folder = new TempFolder(FILES);
    const [a, b] = [
      { repeats: { warmup: 2 }, iterations: { warmup: 1, measured: 4 } },
      { iterations: { warmup: 3, measured: 4 } },
    ];
    expect(await idsOf(folder, { ...STUDY, ...a })).toEqual(await idsOf(folder, { ...STUDY, ...b }));
  });

  describe("has the content of watched files whose path names", () => {
    const configs = {
      "configs/a-x.json": "1",
      "configs/a-y.json": "2",
      "configs/b-x.json": "3",
      "configs/b-y.json": "4",
    };

    test.each([
      ["a parameter", "configs/${model}-y.json", { matrix: { model: ["a", "b"], n: [1, 2] } }, [2, 3]],
      [
        "two of them",
        "configs/${model}-${set}.json",
        { matrix: { model: ["a", "b"], set: ["x", "y"] } },
        [3],
      ],
      ["the task", "configs/b-${task}.json", { tasks: ["x", "y"] }, [1]],
      ["both", "configs/${model}-${task}.json", { matrix: { model: ["a", "b"] }, tasks: ["x", "y"] }, [3]],
      [
        "what a variant sets",
        "configs/${model}-y.json",
        { params: { model: "a" }, variants: ["baseline", { name: "other", params: { model: "b" } }] },
        [1],
      ],
      [
        "what only some runs have",
        "configs/${model}-y.json",
        { matrix: { n: [1, 2], model: { values: ["b"], when: "n > 1" } } },
        [1],
      ],
    ])("%s: one that is edited makes its runs others, and no more", async (_, pattern, part, changed) => {
      using folder = new TempFolder({ ...FILES, ...configs });
      const study = { target: { ...STUDY.target, watch: [pattern] }, ...part };
      const before = await idsOf(folder, study);
      folder.write("configs/b-y.json", "another");
      const after = await idsOf(folder, study);
      expect(after.flatMap((id, i) => (id === before[i] ? [] : [i]))).toEqual(changed);
      folder.write("configs/b-y.json", "4");
      expect(await idsOf(folder, study)).toEqual(before);
    });

    test("a parameter: a file that is missing, or a name that is none, is told before anything runs", async () => {
      using folder = new TempFolder({ ...FILES, ...configs });
      const study = (watch: string) => ({
        target: { ...STUDY.target, watch: [watch] },
        matrix: { model: ["a", "c"] },
      });
      await expect(idsOf(folder, study("configs/${model}-x.json"))).rejects.toThrow(/no configs\/c-x\.json/);
      await expect(idsOf(folder, study("configs/${mode}.json"))).rejects.toThrow(
        /\$\{mode\}.*not a parameter/s,
      );
      await expect(idsOf(folder, { ...study("none/${model}"), where: "model == 'a'" })).rejects.toThrow(
        /none of its files/,
      );
    });
  });

  describe("has the content of the files that parameters name", () => {
    const prompts = { "prompts/a.txt": "a", "prompts/b.txt": "b", "prompts/c.txt": "c", "first.json": "{}" };

    test.each([
      ["an axis", { matrix: { prompt: ["prompts/a.txt", "prompts/b.txt", "prompts/c.txt"] } }, [1]],
      [
        "a list",
        { matrix: { prompts: { values: [["prompts/a.txt", "prompts/b.txt"], ["prompts/c.txt"]] } } },
        [0],
      ],
      ["a fixed one", { params: { prompt: "prompts/b.txt" }, matrix: { n: [1, 2] } }, [0, 1]],
      ["a variant", { variants: ["baseline", { name: "other", params: { prompt: "prompts/b.txt" } }] }, [1]],
      ["a task", { tasks: ["prompts/a.txt", "prompts/b.txt"] }, [1]],
    ])("of %s: one that is edited makes its runs others, and no more", async (_, part, changed) => {
      using folder = new TempFolder({ ...FILES, ...prompts });
      const study = { target: STUDY.target, ...part };
      const before = await idsOf(folder, study);
      folder.write("prompts/b.txt", "another");
      const after = await idsOf(folder, study);
      expect(after.flatMap((id, i) => (id === before[i] ? [] : [i]))).toEqual(changed);
      folder.write("prompts/b.txt", "b");
      expect(await idsOf(folder, study)).toEqual(before);
    });

    test("where the program runs in a folder of its own, by the paths that it would open", async () => {
      using folder = new TempFolder({ ...FILES, "in/prompt.txt": "a", "prompt.txt": "a" });
      const study = { ...target({ cwd: "in" }), params: { prompt: "prompt.txt" } };
      const before = await idsOf(folder, study);
      folder.write("prompt.txt", "another");
      expect(await idsOf(folder, study)).toEqual(before);
      folder.write("in/prompt.txt", "another");
      expect(await idsOf(folder, study)).not.toEqual(before);
    });
  });
});
