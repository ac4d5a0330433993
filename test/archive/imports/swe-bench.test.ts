import { expect, test } from "vitest";
import { readFiles } from "./read-files.ts";

const REPORT = {
  total_instances: 6,
  submitted_instances: 5,
  completed_ids: ["a__a-1", "a__a-2"],
  incomplete_ids: ["a__a-6"],
  empty_patch_ids: ["a__a-3"],
  submitted_ids: ["a__a-1", "a__a-2", "a__a-3", "a__a-4", "a__a-5"],
  resolved_ids: ["a__a-1"],
  unresolved_ids: ["a__a-2"],
  error_ids: ["a__a-4", "a__a-5"],
  schema_version: 2,
};

const instance = (id: string, resolved: boolean) => ({
  [id]: {
    patch_is_None: false,
    patch_exists: true,
    patch_successfully_applied: true,
    resolved,
    tests_status: {
      FAIL_TO_PASS: { success: ["x"], failure: resolved ? [] : ["y"] },
      PASS_TO_PASS: { success: ["p", "q", "r"], failure: ["s"] },
    },
  },
});

function read(files: Record<string, unknown>) {
  const { trials, warnings } = readFiles(files);
  return { warnings, trials: new Map(trials.map(({ trial }) => [trial.task, trial])) };
}

test("a run's report tells apart what failed and what was never judged", () => {
  const { trials, warnings } = read({ "gpt-4.1.nightly.json": REPORT });
  expect(warnings).toEqual([]);
  expect([...trials.keys()].sort()).toEqual(["a__a-1", "a__a-2", "a__a-3", "a__a-4", "a__a-5"]);
  expect(trials.get("a__a-1")).toMatchObject({
    key: "nightly/gpt-4.1/a__a-1",
    agent: null,
    model: "gpt-4.1",
    outcome: { status: "ok" },
    metrics: { score: 1, solved: 1 },
    labels: { exit: "resolved", job: "nightly" },
  });
  expect(trials.get("a__a-2")!.metrics.score).toBe(0);
  expect(trials.get("a__a-3")).toMatchObject({ metrics: { score: 0 }, labels: { exit: "empty_patch" } });
  expect(trials.get("a__a-4")).toMatchObject({ outcome: { status: "failed", owner: "grader" }, metrics: {} });
});

test("the logs beside add the tests, and why an evaluation failed", () => {
  const logs = "logs/run_evaluation/v1.0/acme__coder-2";
  const { trials } = read({
    "acme__coder-2.v1.0.json": REPORT,
    [`${logs}/a__a-2/report.json`]: instance("a__a-2", false),
    [`${logs}/a__a-4/run_instance.log`]: ">>>>> Patch Apply Failed:\nerror: corrupt patch",
    [`${logs}/a__a-5/run_instance.log`]: "docker: no space left on device",
  });
  expect(trials.size).toBe(5);
  expect(trials.get("a__a-2")).toMatchObject({ key: "v1.0/acme__coder-2/a__a-2", model: "acme/coder-2" });
  expect(trials.get("a__a-2")!.metrics).toEqual({
    score: 0,
    solved: 0,
    fail_to_pass: 0.5,
    pass_to_pass: 0.75,
    tests_passed: 4,
    tests_total: 6,
  });
  expect(trials.get("a__a-4")).toMatchObject({
    outcome: { owner: "agent", reason: "the patch does not apply" },
    metrics: { score: 0 },
  });
  expect(trials.get("a__a-5")!.outcome.owner).toBe("grader");
});

test("predictions tell where a model's name ends, trajectories join by instance", () => {
  const { trials } = read({
    "all_preds.jsonl": `${JSON.stringify({ instance_id: "a__a-1", model_patch: "", model_name_or_path: "acme/coder-2.5" })}\n`,
    "acme__coder-2.5.v1.0.json": REPORT,
    "trajs/a__a-1/a__a-1.traj": { trajectory: [] },
  });
  expect(trials.get("a__a-1")).toMatchObject({ key: "v1.0/acme__coder-2.5/a__a-1", model: "acme/coder-2.5" });
  expect(trials.get("a__a-1")!.trajectory).toMatch(/a__a-1\.traj$/);
});

test("beside several reports, nobody knows whose the trajectories are", () => {
  const { trials } = read({
    "one.r.json": REPORT,
    "two.r.json": REPORT,
    "trajs/a__a-1.traj": { trajectory: [] },
  });
  expect(trials.get("a__a-1")!.trajectory).toBeUndefined();
});

test("newer reports name what the machine is to blame for", () => {
  const { trials } = read({
    "m.r.json": {
      ...REPORT,
      unresolved_ids: ["a__a-2", "a__a-9"],
      infra_failure_ids: ["a__a-9"],
      failure_reasons: { "a__a-9": "disk full" },
    },
  });
  expect(trials.get("a__a-9")).toMatchObject({
    outcome: { status: "failed", owner: "infrastructure", reason: "disk full" },
    metrics: {},
  });
});

test("logs alone are enough, and a broken one is told", () => {
  const logs = "logs/run_evaluation/v1/acme__coder";
  const { trials, warnings } = read({
    [`${logs}/a__a-1/report.json`]: instance("a__a-1", true),
    [`${logs}/a__a-2/report.json`]: "",
  });
  expect([...trials.keys()]).toEqual(["a__a-1"]);
  expect(trials.get("a__a-1")).toMatchObject({ key: "v1/acme__coder/a__a-1", model: "acme/coder" });
  expect(warnings).toEqual([expect.stringMatching(/a__a-2\/report\.json: the file is empty/)]);
});

test("submissions whose logs lie in folders of their own stay apart", () => {
  const { trials } = readFiles({
    "verified/20240402_sweagent_gpt4/logs/a__a-1/report.json": instance("a__a-1", true),
    "verified/20250101_other_opus/logs/a__a-1/report.json": instance("a__a-1", false),
  });
  expect(trials.map(({ trial }) => [trial.model, trial.metrics.score])).toEqual([
    ["20240402_sweagent_gpt4", 1],
    ["20250101_other_opus", 0],
  ]);
});
