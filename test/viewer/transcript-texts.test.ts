import { describe, expect, test } from "vitest";
import type { Turn } from "../../src/core/trajectory.ts";
import { stretchesOf } from "../../viewer/text/equal-turns.ts";
import { parseDiff } from "../../viewer/text/parse-diff.ts";
import { promptAt } from "../../viewer/text/prompt-at.ts";
import { outlineOf } from "../../viewer/text/turn-outline.ts";

const turn = (number: number, part: Partial<Turn> = {}): Turn => ({
  ...{ number, thought: `think ${number}`, action: `cat ${number}`, observation: `saw ${number}` },
  ...part,
});

describe("a patch", () => {
  test("is read by file, with the lines' numbers before and after", () => {
    const text = [
      ...["diff --git a/a.py b/a.py", "--- a/a.py", "+++ b/a.py", "@@ -3,2 +3,3 @@ def on():"],
      ...[" same", "-old", "+new", "+--- a line that begins as a header does"],
      ...[
        "diff --git a/b.txt b/b.txt",
        "new file mode 100644",
        "--- /dev/null",
        "+++ b/b.txt",
        "@@ -0,0 +1 @@",
        "+b",
      ],
    ].join("\n");
    const [first, second] = parseDiff(text);
    expect(first).toMatchObject({ name: "a.py", added: 2, removed: 1 });
    expect(first!.lines.slice(4).map(({ kind, from, to }) => [kind, from, to])).toEqual([
      ["same", 3, 3],
      ["removed", 4, null],
      ["added", null, 4],
      ["added", null, 5],
    ]);
    expect(second).toMatchObject({ name: "b.txt", added: 1, removed: 0 });
  });

  test("that is none stays as it is", () => {
    const [file] = parseDiff("nothing to see\n+ here");
    expect(file!.lines.map(({ text }) => text)).toEqual(["nothing to see", "+ here"]);
    expect(file!.added).toBe(0);
  });
});

describe("the prompt at a turn", () => {
  test("is all that came before it, without the oldest outputs that were masked", () => {
    const turns = [turn(1), turn(2), turn(3), turn(4, { context: { masked: 2 } })];
    const opening = [{ role: "user", text: "do it", kind: "task", turn: 0 } as const];
    const parts = promptAt({ opening, turns }, 4);
    expect(parts.map(({ label }) => label)).toEqual([
      ...["task", "turn 1: said", "turn 1: output", "turn 2: said", "turn 2: output"],
      ...["turn 3: said", "turn 3: output"],
    ]);
    expect(parts.filter(({ state }) => state === "out").map(({ label }) => label)).toEqual([
      "turn 1: output",
      "turn 2: output",
    ]);
  });

  test("has a checkpoint where it was made, in place of the turns before it", () => {
    const turns = [turn(1), turn(2, { context: { checkpoint: "so far" } }), turn(3)];
    expect(promptAt({ turns }, 3).map(({ label, state }) => `${label} ${state}`)).toEqual([
      ...["turn 1: said summed", "turn 1: output summed", "summary in"],
      ...["turn 2: said in", "turn 2: output in"],
    ]);
    expect(promptAt({ turns }, 2).at(-1)).toEqual({ label: "summary", text: "so far", state: "in" });
    expect(promptAt({ turns }, 1)).toEqual([]);
  });
});

test("turns that two agents took alike make one stretch, until one of them has ended", () => {
  const a = [turn(1), turn(2), turn(3), turn(4)];
  const b = [turn(1), turn(2), turn(3, { action: "rm 3" })];
  expect(stretchesOf(a, b, 4)).toEqual([
    { from: 0, to: 2, isEqual: true },
    { from: 2, to: 4, isEqual: false },
  ]);
});

test.each([
  ["bash: ls", "bash"],
  ['bash {"command":"ls"}', "bash"],
  ["PYTHONPATH=. /usr/bin/python3 x.py", "python3"],
  ["", ""],
])("the outline names the tool of %j", (action, tool) => {
  expect(outlineOf(turn(1, { action })).tool).toBe(tool);
});

test.each([
  ["Traceback (most recent call last):\n  File", true],
  ["ls: cannot access 'x': No such file or directory", true],
  ["=== 2 failed, 3 passed ===\n2 failed", true],
  ["ValueError: bad", true],
  ["0 failed, all fine; errors are handled in errors.py", false],
])("the outline marks an error in %j: %s", (observation, isError) => {
  expect(outlineOf(turn(1, { observation })).isError).toBe(isError);
});
