import { expect, test } from "vitest";
import { StudyShelf } from "../../src/server/study-shelf.ts";
import { TempFolder } from "../support/temp-folder.ts";

test("launches that are kept apart are studies of their own, by name and time; links to their runs are none", () => {
  using root = new TempFolder({
    "rollouts/nightly/20250824__12-34-56/journal.jsonl": "",
    "rollouts/nightly/20250824__12-34-56/task_results/20250824__12-34-56-0.json": "{}",
    "rollouts/nightly/20250825__00-00-00/journal.jsonl": "",
    "runs/20250824__12-34-56-0/results.json": "{}",
  });
  expect([...new StudyShelf(root.path).all().keys()]).toEqual([
    "rollouts/nightly/20250824__12-34-56",
    "rollouts/nightly/20250825__00-00-00",
  ]);
});
