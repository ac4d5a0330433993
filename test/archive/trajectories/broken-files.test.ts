import { truncateSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  parseTrajectory,
  readTrajectoryFile,
} from "../../../src/archive/trajectories/read-trajectory-file.ts";
import type { Trajectory } from "../../../src/core/trajectory.ts";
import { TempFolder } from "../../support/temp-folder.ts";
import { trajectoryFiles } from "../../support/trajectory-files.ts";

function readText(text: string | Uint8Array) {
  using folder = new TempFolder({ "a.traj": text });
  return readTrajectoryFile(`${folder.path}/a.traj`);
}

test("a file with Python's NaN and Infinity is read: what they stand for is unknown, and texts keep theirs", () => {
  const file = {
    trajectory: [{ action: "print(NaN)", observation: '"Infinity"', thought: "", state: {} }],
    info: { exit_status: "submitted", model_stats: { instance_cost: 7, tokens_sent: 8 } },
  };
  const text = JSON.stringify(file).replace(":7,", ": NaN,").replace(":8}", ": -Infinity}");
  const { trajectory } = readText(text) as { trajectory: Trajectory };
  expect(trajectory).toMatchObject({ exitStatus: "submitted", turns: [{ action: "print(NaN)" }] });
  expect(trajectory.turns[0]!.observation).toBe('"Infinity"');
  expect(trajectory.totals).not.toHaveProperty("costUsd");
});

/** Every way to replace one value somewhere in a file by one of another type. */
function* mutants(value: unknown): Generator<unknown> {
  if (typeof value !== "object" || value === null) return;
  for (const key of Object.keys(value)) {
    const inner = (value as Record<string, unknown>)[key];
    for (const other of [null, 7, "text", [], {}, [1], true, -1, { __proto__: null, length: 3 }]) {
      yield Array.isArray(value)
        ? value.map((item, i) => (String(i) === key ? other : item))
        : { ...value, [key]: other };
    }
    for (const mutant of mutants(inner))
      yield Array.isArray(value)
        ? value.map((item, i) => (String(i) === key ? mutant : item))
        : { ...value, [key]: mutant };
  }
}

describe.each(Object.entries(trajectoryFiles))("a broken file of format %s", (_, value) => {
  const text = JSON.stringify(value);

  test("that was cut off anywhere is one sentence", () => {
    for (let length = 1; length < text.length; length += 97) {
      const read = readText(text.slice(0, length));
      expect(read).toHaveProperty("problem", expect.stringMatching(/^no valid JSON/));
      expect((read as { problem: string }).problem).not.toContain("\n");
    }
  });

  test("with a value of another type anywhere is read or is one sentence, never an exception", () => {
    let count = 0;
    for (const mutant of mutants(value)) {
      const read = parseTrajectory(JSON.stringify(mutant), "a.traj");
      count++;
      if ("problem" in read) expect(read.problem).not.toBe("");
      else for (const total of Object.values(read.trajectory.totals)) expect(total).toBeGreaterThanOrEqual(0);
    }
    expect(count).toBeGreaterThan(100);
  });
});

describe("a file", () => {
  test("that is empty, has NULs or is no JSON says so", () => {
    expect(readText("")).toEqual({ problem: "the file is empty" });
    expect(readText("\0\0\0\0")).toHaveProperty("problem", expect.stringContaining("no valid JSON"));
    expect(readText(new Uint8Array([0xff, 0xfe, 0x00]))).toHaveProperty("problem");
    expect(readText("hello")).toHaveProperty("problem", expect.stringContaining("no valid JSON"));
  });

  test("that is nested as deep as can be harms nobody", () => {
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    expect(readText(deep)).toHaveProperty("problem");
    const inArguments = `{"schema_version":"ATIF-v1.4","steps":[{"source":"agent","tool_calls":[{"arguments":${deep}}]}]}`;
    expect(readText(inArguments)).toHaveProperty("problem", "nested too deeply to be read");
  });

  test("that tries to change objects changes none", () => {
    const read = readText(
      '{"__proto__":{"trajectory":[{"action":"x"}]},"constructor":{"prototype":{"polluted":1}},"history":[]}',
    );
    expect(read).toMatchObject({ trajectory: { turns: [], totals: {} } });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("that is too large for one text says so and is not read", () => {
    using folder = new TempFolder({ "a.traj": "{" });
    truncateSync(`${folder.path}/a.traj`, 600_000_000);
    expect(readTrajectoryFile(`${folder.path}/a.traj`)).toHaveProperty(
      "problem",
      expect.stringMatching(/^600 MB/),
    );
  });

  test("with a byte order mark is read", () => {
    expect(readText(`\ufeff${JSON.stringify(trajectoryFiles["swe-agent"])}`)).toHaveProperty("trajectory");
  });

  test("that is no regular file is not waited for", () => {
    using folder = new TempFolder();
    expect(readTrajectoryFile(folder.path)).toHaveProperty("problem");
    expect(readTrajectoryFile(`${folder.path}/none`)).toHaveProperty(
      "problem",
      expect.stringContaining("ENOENT"),
    );
    expect(readTrajectoryFile("/dev/null")).toEqual({ problem: "not a regular file" });
  });
});
