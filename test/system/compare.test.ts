import { describe, expect, test } from "vitest";
import type { RunRecord } from "../../src/core/run.ts";
import { askArms, csvOf, drawsOf, SCENARIOS } from "../analysis/compare/simulated-studies.ts";
import { aRecord } from "../support/a-study.ts";
import { fixture, type Project } from "../support/fixture.ts";
import { outsideFiles } from "../support/outside-files.ts";

const NOISE = [3, -2, 5, -4, 1, 2, -5, 4, -1, 0];

/** A study of two policies on ten seeds: `full` takes 31 % less. */
function policies(change: (record: RunRecord) => Partial<RunRecord> = () => ({})): RunRecord[] {
  return ["fifo", "full"].flatMap((policy) =>
    NOISE.map((noise, i) => {
      const seed = i + 1;
      const slow = 1000 + 40 * noise;
      const makespan_ms = policy === "fifo" ? slow : 0.69 * slow + 4 * NOISE[(i * 3) % 10]!;
      const hash = `${policy === "fifo" ? "a" : "b"}${String(seed).padStart(11, "0")}`;
      const id = `${policy}__seed${seed}__baseline__${hash}`;
      const record = aRecord({
        id,
        params: { policy },
        seed,
        metrics: { makespan_ms, solved: Number(i > 4) },
      });
      return { ...record, ...change(record) };
    }),
  );
}

function store(project: Project, name: string, records: RunRecord[]): void {
  project.write(
    `bench_runs/${name}/journal.jsonl`,
    records.map((record) => `${JSON.stringify(record)}\n`).join(""),
  );
}

async function compared(project: Project, ...words: string[]) {
  const ended = await project.assay("compare", ...words, "--json");
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(ended.stdout).comparisons[0];
}

describe("cells of one study", () => {
  test("the sentence comes first, then table, pairing, method and runs needed", async () => {
    await using project = await fixture("sums");
    store(project, "policies", policies());
    const ended = await project.assay(
      ...["compare", "policies", "--by", "policy", "--baseline", "fifo"],
      ...["--metric", "makespan_ms", "--goal", "minimize"],
    );
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    const [sentence, , header] = ended.stdout.split("\n");
    expect(sentence).toMatch(
      /^full beats fifo on makespan_ms by 30\.9 % \[29\.9, 31\.9\], 10 seeds, paired\.$/,
    );
    expect(header).toMatch(
      /^metric +arm +n +mean +difference \[95 %\] +relative \[95 %\] +p +adjusted p +power \(seen\)$/,
    );
    expect(ended.stdout).toContain("10 seeds in both arms, paired by seed; none left over.");
    expect(ended.stdout).toMatch(
      /\n {2}sign-flip permutation, exact, because 10 pairs can't show how heavy their tails are/,
    );
    expect(ended.stdout).toMatch(/10 seeds find a true difference of .* four times in five/);
  });

  test("a study that says its baseline and metric needs no option", async () => {
    await using project = await fixture("sums");
    project.edit(
      "study.yaml",
      "seeds: [1, 2]",
      "seeds: [1, 2, 3]\nanalysis: {metric: by_seed, goal: maximize, baseline: {a: 1}}",
    );
    await project.assay("run", "study.yaml", "-q");
    const ended = await project.assay("compare", "sums");
    expect(ended.stdout).toMatch(
      /^a=2 and a=1 can't be told apart on by_seed: \+2\.0 \[−0\.5, \+4\.5\], 3 seeds, paired\./,
    );
    expect(ended.stdout).toContain("3 seeds: too few to see any but a very large difference.");
  });

  test("a pairing that leaves out what varies is refused", async () => {
    await using project = await fixture("sums");
    const both = [1, 2].flatMap((size) =>
      policies(({ id, params }) => ({
        id: `${id.slice(0, -3)}${size}${id.slice(-2)}`,
        params: { ...params, size },
      })),
    );
    store(project, "sizes", both);
    const words = ["compare", "sizes", "--by", "policy", "--metric", "makespan_ms"];
    expect(await project.assay(...words, "--pair", "seed")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /fifo has 2 observations with seed 1; they differ in size.*--pair seed,size/,
      ),
    });
    const whole = await project.assay(...words);
    expect(whole.stdout).toContain("20 pairs of 10 seeds, paired.");
    const apart = await project.assay(...words, "--per", "size");
    expect(apart.stdout).toMatch(/^size 1: makespan_ms is .*10 seeds, paired\.\nsize 2: /);
  });

  test("failures are kept as what they are", async () => {
    await using project = await fixture("sums");
    const failing = policies(({ seed, params }) => {
      if (params.policy !== "full" || seed < 9) return {};
      const owner = seed === 9 ? ("infrastructure" as const) : ("agent" as const);
      return { outcome: { status: "failed", owner, reason: "it broke" }, metrics: {} };
    });
    store(project, "failing", failing);
    const time = await compared(project, "failing", "--by", "policy", "--metric", "makespan_ms");
    expect(time.candidate.missing).toEqual({ infrastructure: 1, agent: 1 });
    expect(time.pairing.left.baseline).toEqual(["9", "10"]);
    const solved = await compared(project, "failing", "--by", "policy", "--metric", "solved");
    expect(solved.candidate.missing).toEqual({ infrastructure: 1 });
    expect(solved.bounds.low).toBeCloseTo(-0.2);
    expect(solved.bounds.high).toBeCloseTo(-0.1);
  });
});

describe("two studies", () => {
  test("are paired by seed, and the same study twice says that nothing differs", async () => {
    await using project = await fixture("sums");
    const of = (policy: string) => policies().filter(({ params }) => params.policy === policy);
    store(project, "before", of("fifo"));
    store(project, "after", of("full"));
    const found = await compared(project, "before", "after", "--metric", "makespan_ms");
    expect(found).toMatchObject({ verdict: "lower", pairing: { isPaired: true, n: 10, noun: "seed" } });
    store(project, "again", of("fifo"));
    const same = await project.assay("compare", "before", "again", "--metric", "makespan_ms");
    expect(same.stdout).toMatch(/^again and before are identical on makespan_ms in all 10 pairs\./);
  });

  test("--fail-on regression trips on what is sure and matters, and on nothing else", async () => {
    await using project = await fixture("sums");
    store(project, "policies", policies());
    const gate = [
      "compare",
      "policies",
      "--by",
      "policy",
      "--fail-on",
      "regression",
      "--metric",
      "makespan_ms",
    ];
    const worse = await project.assay(...gate, "--baseline", "full", "--goal", "minimize", "--margin", "5%");
    expect(worse).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^regression: fifo is worse than full/),
    });
    expect(
      (await project.assay(...gate, "--baseline", "full", "--goal", "minimize", "--margin", "60%")).code,
    ).toBe(0);
    expect((await project.assay(...gate, "--baseline", "fifo", "--goal", "minimize")).code).toBe(0);
    expect(await project.assay(...gate)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--goal minimize"),
    });
  });
});

describe("runs that are named", () => {
  test("pairs are checked by seed and written in the columns of the launcher's pipeline", async () => {
    await using project = await fixture("sums");
    store(project, "policies", policies());
    const pairs = NOISE.map((_, i) => ({
      control: `fifo__seed${i + 1}__`,
      candidate: `full__seed${i + 1}__`,
      seed: i + 1,
    }));
    project.write("pairs.json", JSON.stringify({ pairs }));
    const words = ["compare", "policies", "--metric", "makespan_ms", "--csv", "out/results.csv"];
    const ended = await project.assay(...words, "--pairs", "pairs.json");
    expect(ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("with candidate than with control, 10 seeds, paired."),
    });
    const lines = project.read("out/results.csv").trim().split("\n");
    expect(lines[0]).toBe("group,label,value_or_control,candidate_value,effect,ci_low,ci_high");
    expect(lines[1]).toMatch(/^pair,1,1120,/);
    expect(lines.at(-1)).toMatch(/^summary,makespan_ms,(-?[\d.]+,){4}-?[\d.]+$/);
    const wrong = { control: "fifo__seed1__", candidate: "full__seed2__" };
    expect(await project.assay(...words, "--pairs", JSON.stringify(wrong))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("pair 1 is none: expected two runs of one seed, got seed 1"),
    });
  });

  test("two lists without a seed in common are independent groups", async () => {
    await using project = await fixture("sums");
    store(project, "policies", policies());
    const found = await compared(
      project,
      ...[
        "policies",
        "--metric",
        "makespan_ms",
        "--control-run-ids",
        "fifo__seed1__",
        "fifo__seed2__",
        "fifo__seed3__",
      ],
      ...["--candidate-run-ids", "full__seed4__", "full__seed5__", "full__seed6__"],
    );
    expect(found.pairing).toMatchObject({ isPaired: false, n: 3 });
  });
});

describe("series", () => {
  test("are summarised at the same steps; a run that ended early is missing", async () => {
    await using project = await fixture("sums");
    store(project, "policies", policies());
    for (const { id, params, seed } of policies()) {
      const last = params.policy === "full" && seed === 10 ? 20 : 40;
      const height =
        (params.policy === "full" ? 2 : 1) + NOISE[(seed * (params.policy === "full" ? 3 : 1)) % 10]! / 50;
      const lines = Array.from({ length: last }, (_, step) =>
        JSON.stringify({ step, reward: (height * step) / 40 }),
      );
      project.write(`bench_runs/policies/runs/${id}/series.jsonl`, `${lines.join("\n")}\n`);
    }
    for (const summary of ["auc", "last_n", "final", "mean", "max"]) {
      const found = await compared(
        project,
        "policies",
        "--by",
        "policy",
        "--metric",
        "reward",
        "--summary",
        summary,
      );
      expect(found).toMatchObject({
        verdict: "higher",
        candidate: { missing: { unknown: 1 } },
        pairing: { n: 9 },
      });
    }
  });
});

describe("result files", () => {
  const csv = (cell: (policy: string, task: number) => string) =>
    `task,policy,ok,note\n${["raw", "masked"].flatMap((policy) => Array.from({ length: 40 }, (_, task) => `t${task},${policy},${cell(policy, task)},"a, b"`)).join("\n")}\n`;

  test("a CSV with named columns: passes and failures of the same tasks", async () => {
    await using project = await fixture("sums", {
      "r.csv": csv((policy, task) => (policy === "raw" ? String(task % 4 === 0) : String(task % 4 !== 3))),
    });
    const ended = await project.assay(
      ...["compare", "r.csv", "--by", "policy", "--metric", "ok", "--task", "task", "--goal", "maximize"],
    );
    expect(ended.stdout).toMatch(/^masked beats raw on ok by 50 points \[\d+, \d+\], 40 tasks, paired\./);
    expect(ended.stdout).toContain(
      "paired likelihood-ratio test, mid-p, because the values are passes and failures of the same units",
    );
  });

  test("cells without a number are missing, columns are checked, rows can be chosen", async () => {
    await using project = await fixture("sums", {
      "r.csv": csv((policy, task) => (task === 7 ? "NaN" : String((policy === "raw" ? 10 : 8) + (task % 5)))),
    });
    const words = ["r.csv", "--by", "policy", "--metric", "ok"];
    const found = await compared(project, ...words);
    expect(found).toMatchObject({
      baseline: { missing: { unknown: 1 } },
      pairing: { n: 39, keys: ["task"] },
    });
    expect(found).toMatchObject({ isExact: true, difference: { value: -2, low: -2, high: -2 } });
    expect(await project.assay("compare", "r.csv", "--by", "polcy", "--metric", "ok")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Did you mean "policy"/),
    });
    expect(await project.assay("compare", "r.csv", "--by", "policy", "--metric", "note")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('column "note": expected numbers, got "a, b"'),
    });
    const chosen = await compared(project, ...words, "--where", "ok > 9 && task != 't1'", "--unpaired");
    expect(chosen.pairing.isPaired).toBe(false);
  });

  test("an export of hyperfine: commands are the arms, less is better", async () => {
    const results = [
      { command: "old", times: [1.01, 1.02, 1.05, 1, 1.03, 1.04], exit_codes: [0, 0, 0, 0, 0, 0] },
      { command: "new", times: [0.81, 0.82, 0.8, 0.86, 0.83, 9], exit_codes: [0, 0, 0, 0, 0, 1] },
    ];
    await using project = await fixture("sums", { "times.json": JSON.stringify({ results }) });
    const ended = await project.assay("compare", "times.json");
    expect(ended.stdout).toMatch(
      /^new beats old on time_s by 19\.6 % \[16\.8, 22\.2\], 5 against 6 runs, not paired\./,
    );
  });

  test("what can't be read is told in one line", async () => {
    await using project = await fixture("sums", { "other.json": "{}", "e.csv": "" });
    expect((await project.assay("compare", "other.json")).stderr).toMatch(/expected an export of hyperfine/);
    expect((await project.assay("compare", "e.csv")).stderr).toMatch(/e\.csv is empty/);
    expect((await project.assay("compare", "e.csv", "sums")).stderr).toMatch(
      /can't be compared with each other/,
    );
    expect((await project.assay("compare")).stderr).toMatch(/nothing to compare was named/);
    expect((await project.assay("compare", "e.csv", "--margin", "much")).stderr).toMatch(
      /--margin: expected a number/,
    );
  });
});

const real = outsideFiles("outcomes");
describe.skipIf(!real.isHere)(`7,587 real runs of a coding agent under three strategies${real.note}`, () => {
  test("strategies are compared by instance, over all models and for each", async () => {
    await using project = await fixture("sums");
    const words = [
      real.path("complexity-trap-sweagent.csv"),
      "--by",
      "strategy",
      "--baseline",
      "raw",
      "--metric",
      "outcome",
      "--task",
      "instance_id",
    ];
    const all = await project.assay("compare", ...words);
    expect(all.stdout).toMatch(
      /^Observation Masking and Raw Agent can't be told apart on outcome: .*500 instances, paired\./,
    );
    expect(all.stdout).toContain("several values of one unit were averaged first");
    const model = "experiment~^(?:local-)?(.+?)-(?:agent|baseline|t_)";
    const each = JSON.parse((await project.assay("compare", ...words, "--per", model, "--json")).stdout);
    expect(each.family).toBe(10);
    // Of 497 instances Raw Agent alone solved 74 and LLM-Summary alone 29; p is that of z = -45 / sqrt(103).
    const thinking = each.comparisons.find(
      (one: { part: string; candidate: { name: string } }) =>
        one.part === "gemini_2.5_flash_thinking" && one.candidate.name === "LLM-Summary",
    );
    expect(thinking).toMatchObject({ pairing: { n: 497 }, verdict: "lower" });
    expect(thinking.difference.value).toBeCloseTo(-45 / 497, 10);
    expect(thinking.p).toBeCloseTo(9.250845979723805e-6, 12);
    const lone = each.comparisons.filter((one: { verdict: string }) => one.verdict === "unknown");
    expect(lone).toHaveLength(1);
    expect(lone[0].sentence).toMatch(/^Qwen3-Coder_480B: LLM-Summary .* because Raw Agent has no runs\.$/);
  });
});

test("the command gives a table the verdict and the interval that the simulated studies count", async () => {
  await using project = await fixture("sums");
  const rows = [
    "t3, independent, 5 v 45",
    "0/1 at .5, paired, rho .8, n = 15",
    "lognormal, independent, n = 10",
  ];
  for (const scenario of SCENARIOS) {
    if (!rows.includes(`${scenario.data}, ${scenario.layout}, ${scenario.size}`)) continue;
    const set = scenario.draw(drawsOf(scenario), true);
    project.write("study.csv", csvOf(set));
    const asked = [
      "study.csv",
      "--by",
      "arm",
      "--baseline",
      "old",
      "--metric",
      "score",
      "--resamples",
      "999",
    ];
    const [{ verdict, difference, p }] = (await askArms(set)) as [
      Awaited<ReturnType<typeof askArms>>[number],
    ];
    expect(await compared(project, ...asked)).toMatchObject({ verdict, difference, p });
  }
});
