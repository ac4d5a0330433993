import { expect, test } from "vitest";
import type { Decision, Standing } from "../../src/core/decider.ts";
import { fixture, type Project } from "../support/fixture.ts";
import { waitFor } from "../support/wait-for.ts";

async function decide(project: Project): Promise<Decision> {
  const ended = await project.assay("run", "study.yaml", "--no-report", "--json");
  expect(ended.code, ended.stderr).toBe(0);
  return (JSON.parse(ended.stdout) as { decision: Decision }).decision;
}

test("with history, tasks that tell most come first, and a killed study still comes to the same decision", async () => {
  const tasks = Array.from({ length: 24 }, (_, i) => `t${i + 1}`);
  // Everybody solved t13 to t24; agents of old differ on the others.
  const rows = [..."abcdefghijkl"].map(
    (agent, a) => `${agent},${tasks.map((_, i) => (i >= 12 || (i + a) % 2 === 0 ? 1 : 0)).join()}`,
  );
  const history = `agent,${tasks.join()}\n${rows.join("\n")}\n`;
  const setUp = (project: Project) => {
    project.write("history.csv", history);
    project.write(
      "study.yaml",
      project.read("study.yaml").replace("range: [0, 1]", "range: [0, 1], history: history.csv"),
    );
  };
  await using killed = await fixture("decide");
  setUp(killed);
  const runner = killed.start("run", "study.yaml", "--no-report");
  await waitFor("some runs to end", () => runner.isOver || killed.records("duel").length >= 4);
  runner.kill("SIGKILL");
  await runner.ended;
  killed.write("go", "");
  const resumed = await decide(killed);

  await using whole = await fixture("decide", { go: "" });
  setUp(whole);
  const decision = await decide(whole);
  expect(resumed).toEqual(decision);
  expect(decision).toMatchObject({ isDecided: true, of: 24, pairs: [{ verdict: "better" }] });
  const early = whole.records("duel").slice(0, 16);
  const telling = early.filter(({ task }) => tasks.indexOf(task ?? "") < 12);
  expect(telling.length).toBeGreaterThan(early.length / 2);
  const replayed = await whole.assay("run", "study.yaml", "--replay-decisions");
  expect(replayed.stdout).toContain("The journal leads to the same verdict");

  // The draws so far had other chances.
  whole.write("history.csv", history.replace(/0$/m, "1").replace("a,1", "a,0"));
  const changed = await whole.assay("run", "study.yaml", "--no-report");
  expect(changed.code).toBe(2);
  expect(changed.stderr).toMatch(
    /analysis\.decide\.history: expected the tasks and the outcomes by which the \d+ runs of this study were drawn, got others\./,
  );

  whole.write("history.csv", "agent,other\na,1\n");
  const other = await whole.assay("run", "study.yaml", "--no-report");
  expect(other.code).toBe(2);
  expect(other.stderr).toContain("expected outcomes on tasks of this study");
});

test("where arms may be taken to be like ten earlier agents or more, it says so, and --json does, unless nothing is to be assumed", async () => {
  const tasks = Array.from({ length: 24 }, (_, i) => `t${i + 1}`);
  const rows = Array.from(
    { length: 12 },
    (_, a) => `${a},${tasks.map((_, i) => (i >= 12 || (i * 7 + a * 5) % 12 < 6 ? 1 : 0)).join()}`,
  );
  await using project = await fixture("decide", { go: "" });
  const decided = async (words: string) => {
    project.write("history.csv", `agent,${tasks.join()}\n${rows.join("\n")}\n`);
    const study = project.read("study.yaml").replace(/range: \[0, 1\][^}]*/, `range: [0, 1], ${words} `);
    project.write("study.yaml", study);
    return await decide(project);
  };
  const alike = await decided("history: history.csv");
  expect(alike).toMatchObject({ isDecided: true, alike: 12, pairs: [{ verdict: "better" }] });
  expect(alike.sentence).toContain("if these arms are like the 12 agents of the history.");
  const compared = await project.assay("compare", "duel");
  expect(compared.stdout).toContain("if these arms are like the 12 agents of the history.");
  expect(compared.stdout).toMatch(/are about the \d+ tasks tried, not all of the study's/);

  const other = await project.assay("run", "study.yaml", "--no-report", "--until", "decided");
  expect(other.code, other.stderr).toBe(0);
  const text = project.read("study.yaml").replace("history.csv", "history.csv, assume: nothing");
  project.write("study.yaml", text);
  const refused = await project.assay("run", "study.yaml", "--no-report");
  expect(refused.stderr).toContain("expected the tasks and the outcomes by which");
  const fresh = await project.assay("run", "study.yaml", "--no-report", "--fresh", "--json");
  const { decision } = JSON.parse(fresh.stdout) as { decision: Decision };
  expect(decision.alike).toBeUndefined();
  expect(decision.sentence).not.toContain("if these arms");

  project.write("history.csv", `agent,${tasks.join()}\n${rows.slice(0, 5).join("\n")}\n`);
  project.write("study.yaml", text.replace("assume: nothing", "assume: alike"));
  const few = await project.assay("run", "study.yaml", "--no-report", "--fresh");
  expect(few.code).toBe(2);
  expect(few.stderr).toContain(
    "analysis.decide.assume: expected agents in the history that are like each other, ten or more",
  );
});

test("a study that is killed with -9 resumes to the decision that it would have made, and stops there", async () => {
  await using killed = await fixture("decide");
  const runner = killed.start("run", "study.yaml", "--no-report");
  await waitFor("some runs to end", () => runner.isOver || killed.records("duel").length >= 4);
  const standing = () =>
    (JSON.parse(killed.read("bench_runs/duel/live.json")) as { standing?: Standing }).standing;
  expect(
    await waitFor("how it stands", () => killed.exists("bench_runs/duel/live.json") && standing()),
  ).toMatchObject({
    of: 24,
    noun: "task",
    settled: 0,
    pairs: 1,
  });
  runner.kill("SIGKILL");
  expect((await runner.ended).code).toBeNull();
  killed.write("go", "");
  const resumed = await decide(killed);

  await using whole = await fixture("decide", { go: "" });
  const decision = await decide(whole);
  expect(resumed).toEqual(decision);
  expect(decision).toMatchObject({ isDecided: true, of: 24, noun: "task" });
  expect(decision.pairs).toMatchObject([{ candidate: "new", against: "old", verdict: "better" }]);
  expect(decision.rounds).toBeLessThan(16);
  // Two runs at a time: no more than three rounds were under way when it was decided.
  expect(whole.records("duel").length).toBeLessThanOrEqual(2 * (decision.rounds + 3));

  const before = whole.records("duel").length;
  expect(await decide(whole)).toEqual(decision);
  expect(whole.records("duel")).toHaveLength(before);

  const replayed = await whole.assay("run", "study.yaml", "--replay-decisions");
  expect(replayed).toMatchObject({ code: 0, stderr: "" });
  expect(replayed.stdout).toContain("The journal leads to the same verdict");
  const written = whole.read("bench_runs/duel/decisions.jsonl");
  whole.write("bench_runs/duel/decisions.jsonl", written.replace('"better"', '"worse"'));
  const other = await whole.assay("run", "study.yaml", "--replay-decisions");
  expect(other).toMatchObject({ code: 1 });
  expect(other.stdout).toContain("other verdicts: new against old");

  const status = await whole.assay("status", "duel");
  expect(status.stdout).toMatch(/Decided in \d+ of 24 tasks/);
  expect(status.stdout).not.toContain("resumes it");
  const compared = await whole.assay("compare", "duel");
  expect(compared.stdout).toMatch(/^Decided in \d+ of 24 tasks: new is better than old .* at every look/);
  expect(compared.stdout).toContain("Two intervals");
  expect(compared.stdout).not.toMatch(/Unfinished|Finish the study/);
  for (const words of [
    ["power", "--pilot", "duel", "--effect", "0.3", "--metric", "solved:max"],
    ["rank", "duel", "--metric", "solved:max"],
  ]) {
    const said = await whole.assay(...words);
    expect(said.code, said.stderr).toBe(0);
    expect(said.stdout).toContain("stopped by its own rule");
    expect(said.stdout).not.toContain("Unfinished");
  }
});

test("a search races its points over tasks: what another surely beats ends early, for good, and what is alike goes on", async () => {
  await using project = await fixture("decide", { go: "" });
  const race = async (...arms: string[]) => {
    const name = arms.join("-");
    const study = project
      .read("study.yaml")
      .replace("study: duel", `study: ${name}`)
      .replace(
        /matrix: .*/,
        `search: { method: grid, points: 2, space: { arm: [${arms.join(", ")}] }, stop: { kind: race, range: [0, 1] } }`,
      )
      .replace(/ {2}baseline:.*\n.*/, "");
    project.write(`${name}.yaml`, study);
    const ended = await project.assay("run", `${name}.yaml`, "--no-report");
    expect(ended.code, ended.stderr).toBe(0);
    return arms.map((arm) => project.records(name).filter(({ params }) => params.arm === arm).length);
  };
  // The old one solves a third of the tasks, as the other one does that is not new.
  const [best, beaten] = await race("new", "old");
  expect(best).toBe(24);
  expect(beaten).toBeLessThan(20);
  expect(await race("new", "old")).toEqual([best, beaten]);
  const replayed = await project.assay("sweep", "new-old", "--replay", "--json");
  expect(JSON.parse(replayed.stdout)).toMatchObject({ asked: 2, same: 2, ended: 1, endedAgain: 1 });
  // They take turns, so the worse one ends just as well when it was proposed first.
  const [first, second] = await race("old", "new");
  expect(first).toBeLessThan(20);
  expect(second).toBe(24);
  expect(await race("old", "alike")).toEqual([24, 24]);
});
