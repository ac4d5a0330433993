import { describe, expect, test } from "vitest";
import { readTrajectory, trajectoryReaders } from "../../../src/archive/trajectories/index.ts";
import { retriedFile, trajectoryFiles } from "../../support/trajectory-files.ts";

const file = { name: "some.traj" };

describe.each(Object.entries(trajectoryFiles))("a trajectory of format %s", (format, value) => {
  const read = readTrajectory(structuredClone(value), file);

  test("is known as such", () => {
    expect(read.format).toBe(format);
  });

  test("has its turns, with thought, command and output", () => {
    expect(read.turns.map(({ number, thought, action }) => [number, thought, action])).toEqual([
      [1, "Look first.", "cat lamp"],
      [2, "Now mend it.", "echo on > lamp"],
    ]);
    expect(read.turns.map(({ observation }) => observation)).toEqual(["off", ""]);
  });

  test("has what the agent was given", () => {
    expect(read.opening?.map(({ kind, text }) => [kind, text])).toEqual([
      ["system", "You mend things."],
      ["task", "Make the lamp work."],
    ]);
  });
});

describe("what a file says of tokens and cost", () => {
  const totals = (format: string) => readTrajectory(trajectoryFiles[format], file).totals;

  test("is taken as it is, and what it does not say is absent", () => {
    expect(totals("swe-agent")).toEqual({ input: 300, output: 40, costUsd: 0.5, calls: 3 });
    expect(totals("swe-agent-1")).toEqual({ input: 300, output: 40, costUsd: 0.5, calls: 3 });
    expect(totals("mini-swe-agent-0")).not.toHaveProperty("costUsd");
    expect(totals("mini-swe-agent-1.1")).toEqual({ costUsd: 0.5, calls: 2, wallMs: 3000 });
  });

  // 80 + 120 were sent, 100 of them cached.
  test("leaves cached tokens out of the input where the provider counts them in", () => {
    expect(totals("mini-swe-agent-1")).toMatchObject({ input: 100, cached: 100, output: 40, reasoning: 4 });
    expect(totals("atif v1.5")).toMatchObject({
      input: 100,
      cached: 100,
      output: 40,
      costUsd: 0.5,
      wallMs: 2000,
    });
  });

  test("keeps the summariser's account apart and in the sum", () => {
    const { totals, parts } = readTrajectory(trajectoryFiles["swe-agent-turns"], file);
    expect(parts?.agent).toMatchObject({ costUsd: 0.25, calls: 2 });
    expect(parts?.summary).toMatchObject({ costUsd: 0.125, calls: 1, input: 60 });
    expect(totals).toEqual({ input: 160, cached: 100, output: 60, reasoning: 4, costUsd: 0.375, calls: 3 });
  });

  test("has each turn's share where the file has it", () => {
    const [first, second] = readTrajectory(trajectoryFiles["swe-agent-turns"], file).turns;
    expect(first).toMatchObject({ usage: { input: 80, cached: 0, output: 10, reasoning: 4 }, costUsd: 0.1 });
    expect(second).toMatchObject({ wallMs: 1000, modelMs: 750, toolMs: 250 });
    expect(readTrajectory(trajectoryFiles["swe-agent-1"], file).turns[0]).not.toHaveProperty("wallMs");
  });

  test("adds a retry loop's reviews to all attempts", () => {
    const { totals, parts, turns } = readTrajectory(retriedFile, file);
    expect(turns).toHaveLength(2);
    expect(parts?.retry).toMatchObject({ costUsd: 0.25, calls: 2 });
    expect(totals).toMatchObject({ costUsd: 1.25, calls: 5, input: 350 });
  });

  test("sums the attempts of a file in which none is chosen yet", () => {
    const { attempts } = retriedFile as { attempts: unknown[] };
    expect(readTrajectory({ attempts }, file)).toMatchObject({
      totals: { costUsd: 1, calls: 6 },
      turns: [{}, {}],
    });
  });
});

describe("who and how", () => {
  test("come from where each format has them", () => {
    const named = (format: string) => {
      const { instance, model, exitStatus, limits } = readTrajectory(trajectoryFiles[format], file);
      return [instance, model, exitStatus, limits];
    };
    expect(named("swe-agent")).toEqual([null, null, "submitted", undefined]);
    expect(named("swe-agent-1")).toEqual(["house__lamp-1", "maker/model-1", "submitted", { costUsd: 2 }]);
    expect(named("mini-swe-agent-1")).toEqual([
      "house__lamp-1",
      "maker/model-1",
      "Submitted",
      { costUsd: 3 },
    ]);
    expect(named("mini-swe-agent-1.1").slice(1, 3)).toEqual(["maker/model-1", "Submitted"]);
    expect(named("atif v1.5")).toEqual([null, "maker/model-1", null, undefined]);
  });

  test("an old file's instance is what the file is named for", () => {
    const read = readTrajectory(trajectoryFiles["swe-agent"], { name: "house__lamp-1.traj" });
    expect(read.instance).toBe("house__lamp-1");
  });

  test("a null patch that was submitted is empty, one that was not is unknown", () => {
    const withInfo = (info: object) => readTrajectory({ trajectory: [], info }, file).submission;
    expect(withInfo({ exit_status: "submitted", submission: null })).toBe("");
    expect(withInfo({ exit_status: "exit_cost", submission: null })).toBeNull();
    expect(withInfo({ exit_status: "submitted" })).toBeNull();
  });

  test("a turn that called no tool has no output, where one that did may have an empty one", () => {
    const step = (action: string) => ({ action, observation: "", thought: "Done." });
    const { turns } = readTrajectory({ trajectory: [step("true"), step(""), step(" \n")], info: {} }, file);
    expect(turns.map(({ observation }) => observation)).toEqual(["", null, null]);
  });

  test("demonstrations are no turns", () => {
    const history = [
      { role: "user", content: "like this", is_demo: true },
      { role: "assistant", content: "so", is_demo: true },
      { role: "user", content: "task" },
      { role: "assistant", content: "answer", action: "ls" },
    ];
    const read = readTrajectory({ history }, file);
    expect(read.turns).toMatchObject([{ thought: "answer", action: "ls", observation: null }]);
    expect(read.opening?.map(({ kind }) => kind)).toEqual(["demo", "demo", "task"]);
    expect(read.totals).toEqual({});
  });

  test("a format that nobody knows is told with what was looked for", () => {
    expect(() => readTrajectory({ hello: 1 }, file)).toThrow(/unknown; looked for atif .*schema_version/);
    for (const { name } of trajectoryReaders)
      expect(() => readTrajectory([], file), name).toThrow(`${name} (`);
  });
});
