import type { TestScript } from "../tasks/task.ts";
import { endWords } from "./end-words.ts";
import type { TestResult } from "./grade.ts";
import type { GradePlaces } from "./grade-places.ts";
import { type GradeSetting, runScript } from "./run-script.ts";
import { type Breakage, whyBroken } from "./why-broken.ts";

/** One test on the patched copy. By its exit alone: a reward is read by whoever asked for the test. */
export async function runTest(
  test: TestScript,
  places: GradePlaces,
  setting: GradeSetting,
): Promise<TestResult> {
  const { result, output, problem } = await runScript(test.path, places, setting);
  const { exitCode, ended, wallMs } = result;
  const broken: Breakage | undefined =
    problem === undefined
      ? whyBroken({ result, output, repo: places.seen.inside(places.repo) })
      : { reason: problem, mayBePatch: false };
  const verdict =
    broken !== undefined ? "broken" : exitCode === 0 && ended === undefined ? "passed" : "failed";
  const how = exitCode === null ? "ended by a signal" : `exit ${exitCode}`;
  return {
    path: test.path,
    rubricId: test.rubricId,
    verdict,
    reason: broken?.reason ?? (ended === undefined ? how : endWords(ended)),
    ...(broken && { mayBePatch: broken.mayBePatch }),
    exitCode,
    wallMs,
    output,
  };
}
