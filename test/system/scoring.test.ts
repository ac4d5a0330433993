import { describe, expect, test } from "vitest";
import { fixture, type Project } from "../support/fixture.ts";
import { startModelServer } from "../support/model-server.ts";

const QUIET = ["-q", "--no-report"];

/** By task: the newest record. */
function byTask(project: Project) {
  return Object.fromEntries(project.records("quiz").map((record) => [record.task, record]));
}
const generated = (project: Project) => project.lines("calls.txt").length;

describe("scorers", { concurrent: true }, () => {
  test("score what runs left; one that fails on an output is the grader's fault, and the output stays", async () => {
    await using project = await fixture("scored");
    const { code, stderr } = await project.run("study.yaml", ...QUIET);
    expect(code, stderr).toBe(1);
    const { a, b, c } = byTask(project);
    expect(a!.metrics).toEqual({ length: 3, "exact/correct": 1, "near/off": 0 });
    expect(a!.labels).toEqual({ "exact/verdict": "fine" });
    expect(b!.outcome.status).toBe("ok");
    expect(c!.outcome).toMatchObject({
      status: "failed",
      owner: "grader",
      reason: "scorer near: no negatives",
    });
    // What the other scorer made of it counts.
    expect(c!.metrics).toEqual({ length: 3, "exact/correct": 0 });
    expect(project.read(`bench_runs/quiz/scores/near/runs/${c!.id}/stderr.txt`)).toContain("no negatives");

    const plan = await project.assay("plan", "study.yaml");
    expect(plan.stdout).toContain("2 done before, 0 to run, 1 to score again");
    project.edit("near.ts", 'throw new Error("no negatives")', "return { off: 100 }");
    const changed = await project.assay("plan", "study.yaml", "--runs", "--json");
    const { runs, ...counts } = JSON.parse(changed.stdout);
    expect(counts).toMatchObject({ pending: 3, scoring: 3 });
    expect(runs.map(({ reason }: { reason: string }) => reason)).toEqual([
      "scorer changed: near",
      "scorer changed: near",
      "not scored: near",
    ]);
    expect((await project.run("study.yaml", ...QUIET)).code).toBe(0);
    expect(byTask(project).c!.metrics).toEqual({ length: 3, "exact/correct": 0, "near/off": 100 });
    expect(generated(project)).toBe(3);
  });

  test("`assay score` scores and generates nothing, also where runs are missing; --all scores again what has not changed", async () => {
    await using project = await fixture("scored");
    project.edit("study.yaml", "  - { name: near, module: ./near.ts }\n", "");
    project.edit("study.yaml", "metric: exact/correct", "metric: length");
    await project.run("study.yaml", "--only", "task != 'c'", ...QUIET);
    project.edit("exact.py", '"correct": answer ==', '"wrong": answer !=');
    const scored = await project.assay("score", "quiz", ...QUIET);
    expect(scored.code, scored.stderr).toBe(0);
    expect(byTask(project)).toMatchObject({
      a: { metrics: { length: 3, "exact/wrong": 0 }, attempt: 2 },
      b: { metrics: { length: 3, "exact/wrong": 0 }, attempt: 2 },
    });
    expect(byTask(project).a!.metrics).not.toHaveProperty("exact/correct");
    expect(project.records("quiz")).toHaveLength(4);
    await project.assay("score", "study.yaml", ...QUIET);
    expect(project.records("quiz")).toHaveLength(4);
    await project.assay("score", "study.yaml", "--all", ...QUIET);
    expect(project.records("quiz")).toHaveLength(6);
    expect(generated(project)).toBe(2);
  });

  test("a scorer that gives a metric of the run's own is told so", async () => {
    await using project = await fixture("scored");
    const own = 'score: {command: [python3, exact.py, "${output_dir}/answer.txt"]}\n';
    project.write("study.yaml", project.read("study.yaml").replace(/score:[\s\S]*$/, own));
    project.edit("exact.py", '"correct"', '"length"');
    await project.run("study.yaml", ...QUIET);
    expect(byTask(project).a!.outcome.reason).toMatch(/it gives "length", which the run has already/);
  });

  test("a judge scores by criteria, pays for itself, and what it said is kept", async () => {
    const rubrics = [
      { id: "brief", score: 1, reason: "one number" },
      { id: "polite", score: 0.5, reason: "no greeting" },
    ];
    const server = await startModelServer({
      ...{ id: "x", object: "chat.completion", created: 0, model: "m" },
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: JSON.stringify({ rubrics, summary: "fine" }) },
          finish_reason: "stop",
        },
      ],
      usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    });
    try {
      await using project = await fixture("scored");
      project.env.OPENAI_COMPATIBLE_BASE_URL = server.url;
      const judge = `score: {judge: {model: "openai-compatible:m", output: answer.txt, criteria: {brief: Is it short?, polite: Is it polite?}}}\n`;
      project.write("study.yaml", project.read("study.yaml").replace(/score:[\s\S]*$/, judge));
      const { code, stderr } = await project.run("study.yaml", ...QUIET);
      expect(code, stderr).toBe(0);
      const { a } = byTask(project);
      expect(a!.metrics).toEqual({ length: 3, brief: 1, polite: 0.5, score: 0.75 });
      expect(project.read(`bench_runs/quiz/scores/score/runs/${a!.id}/judgement.json`)).toContain(
        "no greeting",
      );
      const asked = server.requests.map(({ body }) => JSON.stringify(body));
      for (const text of asked) expect(text).toContain("Is it polite?");
      expect(asked.filter((text) => text.includes("2 + 3"))).toHaveLength(1);

      const picked = await project.assay("judge", "quiz", "--pick", "2", "--json");
      const [first, second] = (JSON.parse(picked.stdout) as { runs: string[] }).runs;
      await project.assay("note", "quiz", "--run", first!, "--verdict", "pass");
      await project.assay("note", "quiz", "--run", second!, "--verdict", "fail");
      const judged = await project.assay("judge", "quiz");
      expect(judged.stdout, judged.stderr).toContain("This judge adds nothing");
    } finally {
      await server.close();
    }
  });
});

test("mistakes of a scorer are told before anything runs", async () => {
  await using project = await fixture("scored");
  const refusal = async (score: string, more = "") => {
    project.write(
      "study.yaml",
      `study: quiz\ntarget: {command: [sh, gen.sh, "1"]}\n${more}\nscore: ${score}\n`,
    );
    const { code, stderr } = await project.assay("plan", "study.yaml");
    expect(code, stderr).toBe(2);
    return stderr;
  };
  expect(await refusal("[{module: ./near.ts}, {module: ./near.ts}]")).toMatch(/a name: for each of several/);
  expect(await refusal("{module: ./score.py}")).toMatch(/TypeScript or JavaScript/);
  expect(await refusal("{module: ./gone.ts}")).toMatch(/gone\.ts/);
  expect(await refusal("{command: [no-such-program]}")).toMatch(/no-such-program/);
  expect(await refusal('{command: [sh, "${outputs}"]}')).toMatch(/\$\{outputs\}.*not a parameter/s);
  expect(await refusal("{module: ./near.ts}", "artifacts: none")).toMatch(/artifacts: all/);
});
