import { expect, test } from "vitest";
import { jobName } from "../../../src/executors/slurm/submit-batch.ts";

test("a job's name is one name to squeue, whatever the study is called", () => {
  expect(jobName("/out/lr 0.1,0.2", "/out/lr 0.1,0.2/slurm/20260101-abc")).toBe(
    "assay-lr_0.1_0.2-20260101-abc",
  );
});
