import { expect, test } from "vitest";
import { progressText } from "../../src/cli/progress.ts";

test("progress says how a study stands that decides as it goes, and not when it would be through", () => {
  const far = { done: 80, total: 1000, failed: 0, running: 2, etaMs: 60_000 };
  const standing = { rounds: 40, of: 500, noun: "task", settled: 0, pairs: 3 };
  expect(progressText(far)).toBe("80/1,000  8 %  2 running  ETA 1 min 0 s");
  expect(progressText({ ...far, standing })).toBe(
    "80/1,000  8 %  2 running  not decided after 40 of 500 tasks",
  );
  expect(progressText({ ...far, standing: { ...standing, settled: 1 } })).toContain(
    "1 of 3 pairs decided after 40 of 500 tasks",
  );
  expect(progressText({ ...far, standing: { ...standing, settled: 3 } })).toContain(
    "decided in 40 of 500 tasks",
  );
});
