import { differenceOf, makeProof, readReport } from "../../agent/proof.ts";
import type { TestScript } from "../tasks/task.ts";
import { endWords } from "./end-words.ts";
import type { TestResult } from "./grade.ts";
import type { GradePlaces } from "./grade-places.ts";
import { type GradeSetting, runScript } from "./run-script.ts";
import { type Breakage, whyBroken } from "./why-broken.ts";

/** One test on the patched copy. By its exit, and what it reports: a reward is read by whoever asked for the test. */
export async function runTest(
  test: TestScript,
  places: GradePlaces,
  setting: GradeSetting,
): Promise<TestResult> {
  const proof = test.answer === undefined ? undefined : makeProof();
  const { result, stdout, output, problem, changed } = await runScript(test.path, places, {
    ...setting,
    proof,
  });
  const { exitCode, ended, wallMs } = result;
  const broken: Breakage | undefined =
    problem === undefined
      ? whyBroken({ result, output, repo: places.seen.inside(places.repo) })
      : { reason: problem, mayBePatch: false };
  const hasEnded = exitCode === 0 && ended === undefined;
  const report = proof && readReport(stdout, proof);
  const isUnproven = proof !== undefined && hasEnded && report === undefined;
  const wrong = report === undefined ? undefined : differenceOf(report, test.answer);
  const how = exitCode === null ? "ended by a signal" : `exit ${exitCode}`;
  const why = isUnproven ? `${how}, but without its proof` : (wrong ?? how);
  return {
    path: test.path,
    rubricId: test.rubricId,
    verdict: broken ? "broken" : hasEnded && !isUnproven && wrong === undefined ? "passed" : "failed",
    reason: broken?.reason ?? (ended === undefined ? why : endWords(ended)),
    ...(broken && { mayBePatch: broken.mayBePatch }),
    ...(isUnproven && { isUnproven }),
    ...(changed.length > 0 && { changed }),
    exitCode,
    wallMs,
    output,
  };
}
