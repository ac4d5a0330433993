import { describe, expect, test } from "vitest";
import { containsRun } from "../../src/plan/cells.ts";
import { Plan } from "../../src/plan/plan.ts";
import { aStudy, axis } from "../support/a-study.ts";

const study = aStudy({
  axes: [axis("strategy", "raw", "masked")],
  seeds: [1, 2],
  tasks: ["one", "two", "three"],
});
const plan = new Plan(study, "agent@1");
const runs = [...plan.runs()];

describe("a study with tasks", () => {
  test("has one run for each cell, seed and task, with the task in its id", () => {
    expect(runs).toHaveLength(12);
    expect(plan.count()).toBe(12);
    expect(new Set(runs.map(({ id }) => id.slice(-12))).size).toBe(12);
    expect(runs[0]).toMatchObject({ task: "one", seed: 1 });
    expect(runs[0]!.id).toMatch(/^raw__seed1__baseline__one__[0-9a-f]{12}$/);
  });

  test("gives every cell the same tasks under the same seeds, which pairs them", () => {
    const placesOf = (strategy: string) =>
      runs.filter(({ params }) => params.strategy === strategy).map(({ seed, task }) => `${seed} ${task}`);
    expect(placesOf("raw")).toEqual(placesOf("masked"));
  });

  test("can leave tasks out by a condition", () => {
    const some = new Plan({ ...study, where: "task != 'two' || strategy == 'raw'" }, "agent@1");
    expect([...some.runs()]).toHaveLength(10);
    expect(some.count()).toBe(10);
  });

  test("in rounds runs every cell once a round", () => {
    const ordered = [...new Plan({ ...study, order: "interleaved" }, "agent@1").runs()];
    expect(ordered.map(({ id }) => id).sort()).toEqual(runs.map(({ id }) => id).sort());
    for (let i = 0; i < ordered.length; i += 2) expect(ordered[i]!.task).toBe(ordered[i + 1]!.task);
  });

  test("knows its runs from those of tasks that it no longer has", () => {
    const contains = containsRun({ ...study, tasks: ["one"] });
    expect(runs.filter(contains).map(({ task }) => task)).toEqual(["one", "one", "one", "one"]);
    expect(containsRun(aStudy())(runs[0]!)).toBe(false);
  });

  test("without tasks has the ids that it always had", () => {
    const [run] = new Plan(aStudy(), "noop@1").runs();
    expect(run).toMatchObject({ task: null, id: expect.stringMatching(/^seed1__baseline__[0-9a-f]{12}$/) });
  });

  test("whose content has versions has runs of its own for each of them, and leaves the other tasks' ids alone", () => {
    const at = (taskVersions: Record<string, string>) => {
      const versioned = { ...study, taskVersions };
      return [...new Plan(versioned, "agent@1").runs()];
    };
    const [before, after] = [at({ one: "a" }), at({ one: "b" })];
    const changed = runs.map(({ task, id }, i) => [
      task,
      before[i]!.id === id,
      after[i]!.id === before[i]!.id,
    ]);
    for (const [task, ...isSame] of changed)
      expect(isSame).toEqual(task === "one" ? [false, false] : [true, true]);
    const contains = containsRun({ ...study, taskVersions: { one: "b" } });
    expect(before.filter(contains).map(({ task }) => task)).not.toContain("one");
    expect(after.filter(contains)).toEqual(after);
  });
});

describe("a study whose values name files", () => {
  const versioned = (raw: string) =>
    ({
      ...study,
      taskVersions: { one: "t1" },
      valueVersions: { strategy: { '"raw"': raw } },
    }) as typeof study;
  const before = [...new Plan(versioned("f1"), "agent@1").runs()];

  test("has other runs where the files have changed, and only there", () => {
    const now = [...new Plan(versioned("f2"), "agent@1").runs()];
    const changed = now.filter(({ id }, i) => id !== before[i]!.id);
    expect(new Set(changed.map(({ params }) => params.strategy))).toEqual(new Set(["raw"]));
    expect(changed).toHaveLength(6);
  });

  test("knows its runs from those of older files", () => {
    expect(before.filter(containsRun(versioned("f1")))).toHaveLength(12);
    const left = before.filter(containsRun(versioned("f2")));
    expect(left.map(({ params }) => params.strategy)).toEqual(Array(6).fill("masked"));
    expect(before[0]!.taskVersion).toMatch(/^t1\+[0-9a-f]{12}$/);
  });
});
