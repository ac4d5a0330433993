import { describe, expect, test } from "vitest";
import { readOutcomes } from "../../src/archive/read-outcomes.ts";
import type { RunRecord } from "../../src/core/run.ts";
import { aStudy } from "../support/a-study.ts";
import { recordsOf, studyFolder } from "../support/a-study-folder.ts";
import { TempFolder } from "../support/temp-folder.ts";

describe("earlier outcomes", () => {
  const study = aStudy({ axes: [{ names: ["agent"], rows: [["a"], ["b"]] }], tasks: ["t1", "t2", "t3"] });
  const readWith = (outcome: RunRecord["outcome"], worst: number) => {
    using folder = studyFolder(
      study,
      recordsOf(study, ({ params, task }) =>
        params.agent === "a" && task === "t2" ? { outcome, metrics: {} } : { metrics: { cost: 3 } },
      ),
    );
    return readOutcomes(folder.path, "cost", worst);
  };

  test("of a study's folder: what the agent broke is the worst that the metric can be, in time or not", () => {
    for (const outcome of [
      { status: "failed", owner: "agent" },
      { status: "failed" },
      { status: "timeout" },
    ] as const)
      expect(readWith(outcome, 9).rows[0]).toEqual([3, 9, 3]);
  });

  test("of a study's folder: what others broke is unknown", () => {
    expect(readWith({ status: "failed", owner: "infrastructure" }, 9).rows[0]).toEqual([3, null, 3]);
  });

  test("of a table: a cell without a number is a task that was not tried, and a word is a mistake", () => {
    using folder = new TempFolder({
      "history.csv": "agent,t1,t2\na,1,\nb,0,1\n",
      "bad.csv": "agent,t1\na,yes\n",
    });
    expect(readOutcomes(`${folder.path}/history.csv`, "solved", 0)).toEqual({
      tasks: ["t1", "t2"],
      rows: [
        [1, null],
        [0, 1],
      ],
    });
    expect(() => readOutcomes(`${folder.path}/bad.csv`, "solved", 0)).toThrow('column "t1"');
  });
});
