import type { TestScript } from "../tasks/task.ts";
import { endWords } from "./end-words.ts";
import type { TestResult } from "./grade.ts";
import type { GradePlaces } from "./grade-places.ts";
import { type GradeSetting, runScript } from "./run-script.ts";
import { whyBroken } from "./why-broken.ts";

/** One test on the patched copy. By its exit alone: a reward is read by whoever asked for the test. */
export async function runTest(
  test: TestScript,
  places: GradePlaces,
  setting: GradeSetting,
): Promise<TestResult> {
  const { result, output, problem } = await runScript(test.path, places, setting);
  const { exitCode, ended, wallMs } = result;
  const broken = problem ?? whyBroken({ result, output, repo: places.seen.inside(places.repo) });
  const verdict =
    broken !== undefined ? "broken" : exitCode === 0 && ended === undefined ? "passed" : "failed";
  const how = exitCode === null ? "ended by a signal" : `exit ${exitCode}`;
  return {
    path: test.path,
    rubricId: test.rubricId,
    verdict,
    reason: broken ?? (ended === undefined ? how : endWords(ended)),
    exitCode,
    wallMs,
    output,
  };
}
