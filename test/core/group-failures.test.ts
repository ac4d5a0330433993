import { expect, test } from "vitest";
import { failed, groupFailures } from "../../src/core/run.ts";

test("failures with one reason are one group, whatever the numbers in it; exit codes stay apart", () => {
  const outcomes = [
    failed("agent", "exit 2: usage", 2),
    failed("agent", "exit 1: KeyError: 17", 1),
    failed("agent", "exit 1: KeyError: 18", 1),
    failed("infrastructure", "exit 1: KeyError: 18", 1),
    { status: "timeout" as const, reason: "still running after 5 s" },
  ];
  const groups = groupFailures(outcomes.map((outcome, i) => ({ id: `run${i}`, outcome })));
  expect(groups).toEqual([
    { owner: "agent", reason: "exit 1: KeyError: 17", count: 2, ids: ["run1", "run2"] },
    { owner: "agent", reason: "exit 2: usage", count: 1, ids: ["run0"] },
    { owner: "infrastructure", reason: "exit 1: KeyError: 18", count: 1, ids: ["run3"] },
    { owner: "timeout", reason: "still running after 5 s", count: 1, ids: ["run4"] },
  ]);
});
