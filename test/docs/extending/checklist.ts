import type { ImportReader } from "../../../src/archive/imports/import-reader.ts";
import { graded, ungraded } from "../../../src/archive/imports/verdict.ts";
import { listAt, numberAt, textAt } from "../../../src/archive/trajectories/json-fields.ts";

/** `checklist.json`: a list of tasks with the share that was done. */
export const checklist: ImportReader = {
  name: "checklist",
  looksFor: "checklist.json with items, each with task and share",
  claims: (file) => file.name === "checklist.json",
  *read(file) {
    for (const item of listAt(file.json(), "items") ?? []) {
      const task = textAt(item, "task");
      const share = numberAt(item, "share");
      if (task === null) yield { problem: "an item without a task" };
      else
        yield {
          key: `checklist/${task}`,
          task,
          agent: textAt(item, "agent"),
          model: null,
          labels: {},
          ...(share === undefined ? ungraded("grader", "no share") : graded(share)),
        };
    }
  },
};
