import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { fixture } from "../support/fixture.ts";

const NAME = "agent-scripted-observation_masking-hp_obs_n10-instances_slice-1-sandbox-memory";
const WORDS = ["--model", "scripted", "--strategy", "observation_masking", "--hp-obs-n", "10"];
const CALL = ["agent", ...WORDS, "--instances-slice", ":1", "--sandbox", "memory"];

test("assay agent takes the flags of published sweeps, and leaves the study that does the same", async () => {
  await using project = await fixture("agent", {});
  const file = `${project.dir}/${NAME}.yaml`;
  const dry = await project.assay(...CALL, "--dry-run");
  expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining("first prompt") });
  expect(existsSync(file)).toBe(false);
  const mistaken = await project.assay("agent", "--modl", "scripted");
  expect(mistaken.code).toBe(2);
  expect(mistaken.stderr).toMatch(/^assay: --modl: .*Did you mean "model"\?/);
  const { code, stderr } = await project.assay(...CALL, "--wandb");
  expect(code, stderr).toBe(0);
  expect(stderr).toContain("--wandb has no effect");
  expect(project.records(NAME)).toMatchObject([{ params: { obs_n: 10, strategy: "observation_masking" } }]);
  const again = await project.assay("run", `${NAME}.yaml`);
  expect(again.stderr + again.stdout).toContain("1 done before");
});
