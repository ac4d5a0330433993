import { describe, expect, test } from "vitest";
import { readTrajectory } from "../../../src/archive/trajectories/index.ts";
import { toAtif } from "../../../src/archive/trajectories/to-atif.ts";
import { toSweAgent } from "../../../src/archive/trajectories/to-swe-agent.ts";
import { trajectoryFiles } from "../../support/trajectory-files.ts";

const file = { name: "some.traj" };
const again = (value: object) => readTrajectory(JSON.parse(JSON.stringify(value)), file);

describe.each(Object.entries(trajectoryFiles))("a converted trajectory of format %s", (_, value) => {
  const before = readTrajectory(value, file);
  const words = ({ turns }: typeof before) =>
    turns.map(({ thought, action, observation, usage, costUsd }) => [
      ...[thought, action, observation],
      ...[usage, costUsd],
    ]);

  test("tells the same in ATIF", () => {
    const after = again(toAtif(before, { program: "0.1.0" }));
    expect(words(after)).toEqual(words(before));
    expect(after.opening).toEqual(before.opening);
    const { wallMs: _, ...totals } = before.totals;
    expect(after.totals).toMatchObject(totals);
    expect(after).toMatchObject({
      exitStatus: before.exitStatus,
      submission: before.submission,
      model: before.model,
    });
  });

  test("has ATIF's steps in order from 1, and answers that name their calls", () => {
    const { steps } = toAtif(before, { program: "0.1.0" }) as { steps: Record<string, unknown>[] };
    expect(steps.map(({ step_id }) => step_id)).toEqual(steps.map((_, i) => i + 1));
    expect(steps.at(-1)).toMatchObject({
      source: "agent",
      tool_calls: [{ tool_call_id: "call_2", arguments: { command: "echo on > lamp" } }],
      observation: { results: [{ source_call_id: "call_2", content: "" }] },
    });
  });

  test("tells the same in SWE-agent's format", () => {
    const after = again(toSweAgent(before));
    expect(words(after)).toEqual(words(before));
    expect(after.opening).toEqual(before.opening);
    expect(after.totals).toEqual(before.totals);
    expect(after).toMatchObject({
      exitStatus: before.exitStatus,
      submission: before.submission,
      model: before.model,
    });
  });
});
