import { expect, test } from "vitest";
import { capTrajectory } from "../../../src/analysis/trajectories/cap-trajectory.ts";
import type { Trajectory } from "../../../src/core/trajectory.ts";

const trajectory: Trajectory = {
  ...{ format: "x", instance: null, model: null, exitStatus: null, submission: "p".repeat(50), totals: {} },
  turns: [1, 2, 3].map((number) => ({
    ...{ number, thought: "short", action: null, observation: `begin${"x".repeat(100)}end` },
  })),
};

test("a capped trajectory keeps beginnings and ends, and says what it left out", () => {
  const capped = capTrajectory(trajectory, { textChars: 20, mostTurns: 2 });
  expect(capped.leftTurns).toBe(1);
  expect(capped.turns).toHaveLength(2);
  expect(capped.turns[0]).toMatchObject({ thought: "short", action: null });
  expect(capped.turns[0]?.observation).toMatch(
    /^begin(x{7})\n\[\.\.\. 88 characters left out \.\.\.\]\n(x{5})end$/,
  );
  expect(capped.submission).toContain("30 characters left out");
  expect(trajectory.turns[0]?.observation).toHaveLength(108);
});

test("a small trajectory stays as it is", () => {
  const { leftTurns, ...same } = capTrajectory(trajectory, { textChars: 1000, mostTurns: 10 });
  expect(leftTurns).toBe(0);
  expect(same).toEqual(trajectory);
});
