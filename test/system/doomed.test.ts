import { expect, test } from "vitest";
import { fixture } from "../support/fixture.ts";

test("a run that makes no progress for longer than those that succeed ends, counts as a failure, and isn't done again", async () => {
  await using project = await fixture("doomed");
  const ended = await project.assay("run", "study.yaml", "--no-report");
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stdout).toContain("8 ok, 2 stopped early of 10 runs");
  const doomed = project.records("stuck").filter(({ task }) => task === "t5");
  expect(doomed).toHaveLength(2);
  for (const { outcome } of doomed) {
    expect(outcome).toMatchObject({ status: "stopped", owner: "agent" });
    expect(outcome.reason).toMatch(
      /^doomed: \d+ values of passed without progress, where those that succeed go 1 at most/,
    );
  }
  const again = await project.assay("run", "study.yaml", "--no-report");
  expect(again.stdout).toContain("10 done before");
  const compared = await project.assay("compare", "stuck", "--json");
  const { warnings, arms } = JSON.parse(compared.stdout) as {
    warnings: { kind: string; text: string }[];
    arms?: unknown;
  };
  expect(arms).not.toBeNull();
  expect(warnings.find(({ kind }) => kind === "doomed")?.text).toMatch(
    /^2 runs ended as doomed, .* saved; at most 25 % of the runs that would succeed end so\.$/,
  );
});
