import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fixture } from "../support/fixture.ts";
import { outsideFiles } from "../support/outside-files.ts";

const { isHere, names, path, note } = outsideFiles("wandb-sweeps");

/** A published sweep as it is, but for the line that names the target. */
const withTarget = (name: string) => `target: agent\n${readFileSync(path(name), "utf8")}`;
const RUNS: Record<string, string> = {
  "ct-quick_test.yaml": "grid search, 84 runs",
  "ct-bedrock_hparams.yaml": "grid search, 27 runs",
  "ct-hparams_hybrid.yaml": "at most 3,888 runs",
  "ct-hparams_llm_summary.yaml": "at most 1,296 runs",
};

describe.skipIf(!isHere)(`the published sweeps of context strategies${note}`, () => {
  test.each(names.filter((name) => name.startsWith("ct-")))(
    "%s is planned once it names the target",
    async (name) => {
      await using project = await fixture("agent", { [name]: withTarget(name) });
      const { code, stdout, stderr } = await project.assay("plan", name);
      expect(code, stderr).toBe(0);
      expect(stdout).toContain(RUNS[name]);
      expect(stderr).toMatch(
        /instances_subset: verified(-mini)? is read as (all|long): SWE-bench's instances/,
      );
    },
  );

  test("the quick one runs from end to end with a scripted model", async () => {
    await using project = await fixture("agent", { "quick.yaml": withTarget("ct-quick_test.yaml") });
    const words = ["-p", "model=scripted", "-p", "summarizer-model=scripted", "-p", "sandbox=memory"];
    const { code, stderr } = await project.assay("run", "quick.yaml", ...words);
    expect(code, stderr).toBe(0);
    const records = project.records("quick");
    expect(records.map(({ params }) => params.strategy).sort()).toEqual([
      "hybrid",
      "llm_summary",
      "observation_masking",
      "raw",
    ]);
    for (const { metrics, params } of records) {
      expect(params.instances_subset).toBe("all");
      expect(metrics).toMatchObject({ n_instances: 3, submission_rate: expect.any(Number) });
    }
  });

  test("keep their subset where they name a task set that has it", async () => {
    const own = `${withTarget("ct-quick_test.yaml")}\n`.replace(
      "parameters:\n",
      "parameters:\n  task_set: {value: ./tasks}\n",
    );
    await using project = await fixture("agent", { "own.yaml": own });
    const absent = await project.assay("plan", "own.yaml");
    expect(absent.code).toBe(2);
    expect(absent.stderr).toContain('there is no subset "verified" of the tasks: expected all');
    for (const task of ["first", "second"])
      project.edit(`tasks/${task}/task.json`, '"instruction"', '"level": "verified", "instruction"');
    const { code, stderr } = await project.assay("plan", "own.yaml");
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain("is read as");
  });
});

test("a subset that the task set has not is told before anything runs", async () => {
  await using project = await fixture("agent");
  project.edit("study.yaml", "tasks: [shop-pricing, transit-fares]", "");
  const { code, stderr } = await project.assay("run", "study.yaml", "-p", "instances_subset=verified");
  expect(code).toBe(2);
  expect(stderr).toContain("expected all, long, medium, small. Tasks of your own are a folder, task_set:");
  expect(project.records("agent")).toEqual([]);
});
