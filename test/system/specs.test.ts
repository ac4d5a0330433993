import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { RunRecord } from "../../src/core/run.ts";
import { fixture, type Project } from "../support/fixture.ts";
import { outsideFiles } from "../support/outside-files.ts";
import { startRedis } from "../support/redis.ts";

const shipped = fileURLToPath(new URL("../../packages/sims/specs/", import.meta.url));
const filesOf = (dir: string) => readdirSync(dir).filter((name) => name.endsWith(".yaml"));

type Spec = Record<string, unknown>;

/** What makes a spec long, and how much of it is enough to see that it works. */
const ENOUGH: Record<string, number> = {
  num_records: 300,
  db_size_mb: 1,
  calls: 10,
  steps: 4,
  num_steps: 8,
  num_agents: 40,
  memory_entries: 40,
};
const MOST_VALUES = 3;

/** The same spec in small: every parameter is there still, and every experiment. */
function shrink(spec: Spec): Spec {
  const small: Spec = { ...spec };
  if (Array.isArray(spec.experiments)) small.experiments = spec.experiments.map((one) => shrink(one as Spec));
  if (spec.params) {
    small.params = Object.fromEntries(
      Object.entries(spec.params).map(([name, value]) => {
        if (Array.isArray(value)) return [name, value.slice(0, MOST_VALUES)];
        return [name, name in ENOUGH ? Math.min(ENOUGH[name]!, value as number) : value];
      }),
    );
  }
  if ("study" in spec) small.seeds = 2;
  else if ("experiment" in spec || "experiments" in spec) {
    small.iterations = { warmup: 0, measured: 2 };
    small.output_dir = "bench_runs/spec";
  }
  if (Array.isArray(spec.experiments)) for (const one of small.experiments as Spec[]) delete one.output_dir;
  return small;
}

async function runSmall(project: Project, path: string): Promise<RunRecord[]> {
  const spec = shrink(parse(readFileSync(path, "utf8")) as Spec);
  project.write("spec.yaml", JSON.stringify(spec));
  const ran = await project.assay("run", "spec.yaml", "--no-report");
  expect(ran.code, ran.stdout + ran.stderr).toBe(0);
  const folders = project.exists("bench_runs/spec/journal.jsonl")
    ? ["spec"]
    : project.list("bench_runs").flatMap((name) => {
        const inner = project.list(`bench_runs/${name}`);
        return inner.includes("journal.jsonl") ? [name] : inner.map((one) => `${name}/${one}`);
      });
  return folders.flatMap((folder) => project.records(folder));
}

function expectMeasured(records: readonly RunRecord[]): void {
  expect(records.length).toBeGreaterThan(0);
  for (const { outcome, metrics, id } of records) {
    expect(outcome, id).toEqual({ status: "ok" });
    const known = Object.values(metrics).filter((value) => typeof value === "number");
    expect(known.length, `${id} has metrics`).toBeGreaterThan(2);
  }
}

describe("the specs that ship run as they are, in small", () => {
  const files = filesOf(shipped);
  test("there are as many as the list of them says", () => {
    const listed = readFileSync(`${shipped}README.md`, "utf8").match(/^\| `[\w.]+\.yaml`/gm);
    expect(files.length).toBe(listed!.length);
  });
  for (const file of files) {
    test(file, async () => {
      await using redis = file.startsWith("redis") ? await startRedis() : undefined;
      await using project = await fixture("bench");
      if (redis) project.env = { REDIS_URL: redis.url };
      expectMeasured(await runSmall(project, `${shipped}${file}`));
    });
  }
});

test("a spec that ships is found by its name, unless there is a folder of that name", async () => {
  await using project = await fixture("bench");
  const planned = await project.assay("plan", "specs/memory_db_baseline.yaml");
  expect(planned.code, planned.stderr).toBe(0);
  project.write("specs/other.yaml", "{study: other, target: noop}");
  const missing = await project.assay("plan", "specs/memory_db_baseline.yaml");
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain("specs/memory_db_baseline.yaml does not exist");
});

describe("specs of the simulation that the suite follows run as they are, in small", () => {
  const { isHere, names, path, note } = outsideFiles("bench-specs");
  test.skipIf(!isHere)(`are five${note}`, () => expect(names).toHaveLength(5));
  for (const file of names) {
    test(file, async () => {
      await using redis = file.startsWith("redis") ? await startRedis() : undefined;
      await using project = await fixture("bench");
      if (redis) project.env = { REDIS_URL: redis.url };
      const records = await runSmall(project, path(file));
      expectMeasured(records);
      if (file === "observation_sweep.yaml") expect(records).toHaveLength(4);
    });
  }
});

test("without a Redis the run fails at once, by the machine's fault, and says how to get one", async () => {
  await using project = await fixture("bench", {
    "spec.yaml":
      "{experiment: redis_memory, params: {url: 'redis://127.0.0.1:1'}, output_dir: bench_runs/spec}",
  });
  expect((await project.assay("run", "spec.yaml", "--no-report")).code).toBe(1);
  expect(project.onlyRecord("spec").outcome).toMatchObject({
    status: "failed",
    owner: "infrastructure",
    reason: expect.stringContaining("apt-get install redis-server"),
  });
});
