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

test("calls of tools keep their names, arguments and answers in ATIF, and the agent its own name", () => {
  const call = (id: string, name: string, input: object) => ({ id, name, input });
  const written = {
    environment: "lamp",
    trajectory: [
      {
        action: 'Bash {"command":"ls"}\nRead {"path":"a"}',
        observation: "a\nhello\nBe brief.",
        thought: "Look.",
      },
      { action: "", observation: "", thought: "Done." },
    ],
    history: [
      { role: "user", content: "Light the lamp.", message_type: "task", turn: 0 },
      {
        ...{ role: "assistant", content: "Look.", message_type: "action", turn: 1 },
        tool_calls: [call("c1", "Bash", { command: "ls" }), call("c2", "Read", { path: "a" })],
      },
      { role: "tool", content: "a", message_type: "observation", turn: 1, tool_call_ids: ["c1"] },
      { role: "tool", content: "hello", message_type: "observation", turn: 1, tool_call_ids: ["c2"] },
      { role: "user", content: "Be brief.", message_type: "notice", turn: 1 },
      { role: "assistant", content: "Done.", message_type: "action", turn: 2 },
    ],
    info: { assay_version: "1", agent: "claude", agent_version: "2.1.197", exit_status: "submitted" },
  };
  const atif = toAtif(readTrajectory(written, file), { program: "0.1.0" }) as Record<string, object[]>;
  expect(atif.agent).toMatchObject({ name: "claude", version: "2.1.197" });
  expect(atif.steps!.slice(1)).toEqual([
    {
      ...{ step_id: 2, source: "agent", message: "Look." },
      tool_calls: [
        { tool_call_id: "c1", function_name: "Bash", arguments: { command: "ls" } },
        { tool_call_id: "c2", function_name: "Read", arguments: { path: "a" } },
      ],
      observation: {
        results: [
          { source_call_id: "c1", content: "a" },
          { source_call_id: "c2", content: "hello" },
        ],
      },
    },
    { step_id: 3, source: "user", message: "Be brief." },
    { step_id: 4, source: "agent", message: "Done." },
  ]);
  expect(again(atif).agent).toEqual({ name: "claude", version: "2.1.197" });
});
