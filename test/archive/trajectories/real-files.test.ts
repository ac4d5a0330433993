import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { summariseFile } from "../../../src/analysis/trajectories/summarise-file.ts";
import {
  parseTrajectory,
  readTrajectoryFile,
} from "../../../src/archive/trajectories/read-trajectory-file.ts";
import { outsideFiles } from "../../support/outside-files.ts";

const { isHere, names, path, note } = outsideFiles("trajectories");

/** Counted in the files with another JSON reader. */
const FACTS: Record<string, object> = {
  "mini-django-16255.traj.json": {
    ...{ format: "mini-swe-agent-1", instance: "django__django-16255", model: "google/gemini-3-pro-preview" },
    ...{ category: "submitted", turns: 17, calls: 17, costUsd: 0.08934840000000001, isEmpty: false },
    tokens: { input: 27406, cached: 33662, output: 2317, reasoning: 250 },
  },
  "sweagent-1x-sympy-21612.traj": {
    ...{ format: "swe-agent-1", instance: "sympy__sympy-21612", model: "gpt-4o", turns: 14, calls: 14 },
    tokens: { input: 46330, cached: null, output: 1344, reasoning: null },
  },
  // Played by a person: nothing was sent, and the file says so.
  "sweagent-ctf-networking.traj": { format: "swe-agent", instance: null, turns: 4, calls: 0, costUsd: 0 },
  // A demonstration: a conversation and nothing else.
  "sweagent-function-calling-simple.traj": {
    ...{ turns: 5, calls: null, costUsd: null, exit: null, category: "unknown", isEmpty: null },
    tokens: { input: null, cached: null, output: null, reasoning: null },
  },
  "sweagent-old-pydicom-1458.traj": {
    ...{ format: "swe-agent", model: null, turns: 12, calls: 12, costUsd: 1.26719, isSubmitted: true },
    tokens: { input: 122612, cached: null, output: 1369, reasoning: null },
  },
};

describe.skipIf(!isHere)(`trajectories that others wrote${note}`, () => {
  test("are all in the table below", () => {
    expect(names).toEqual(Object.keys(FACTS).toSorted());
  });

  test.each(Object.entries(FACTS))("%s is read as it is", (name, facts) => {
    const read = readTrajectoryFile(path(name));
    if ("problem" in read) throw new Error(read.problem);
    expect(summariseFile(read.trajectory)).toMatchObject(facts);
    expect(read.trajectory.opening?.some(({ kind }) => kind === "task")).toBe(true);
    for (const { action, thought } of read.trajectory.turns) {
      expect(action).toBeTruthy();
      expect(thought).toBeTruthy();
    }
  });

  test.each(Object.keys(FACTS))("%s, cut off or with a byte gone wrong, is one sentence", (name) => {
    const text = readFileSync(path(name), "utf8");
    for (const share of [0.001, 0.1, 0.5, 0.9, 0.999]) {
      const at = Math.floor(text.length * share);
      for (const broken of [text.slice(0, at), `${text.slice(0, at)}\0${text.slice(at)}`])
        expect(parseTrajectory(broken, name)).toEqual({ problem: expect.stringMatching(/^no valid JSON.*/) });
    }
  });

  test.each(Object.keys(FACTS))(
    "%s without one of its parts is read, and what is gone is unknown",
    (name) => {
      const value = JSON.parse(readFileSync(path(name), "utf8")) as Record<string, unknown>;
      for (const key of Object.keys(value)) {
        const { [key]: _, ...rest } = value;
        const read = parseTrajectory(JSON.stringify(rest), name);
        if ("trajectory" in read && key === "info")
          expect(summariseFile(read.trajectory)).toMatchObject({ exit: null, costUsd: null, calls: null });
        // A file without its conversation is none of ours any more.
        if ("problem" in read) expect(["history", "messages", "trajectory"]).toContain(key);
      }
    },
  );
});
