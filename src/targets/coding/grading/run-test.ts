import type { ProgramResult } from "../../../sandboxes/sandbox.ts";
import { differenceOf, makeProof, readReport } from "../../agent/proof.ts";
import type { TestScript } from "../tasks/task.ts";
import type { TestResult } from "./grade.ts";
import type { GradePlaces } from "./grade-places.ts";
import { type GradeSetting, runScript } from "./run-script.ts";

const WORDS: Record<End, string> = {
  timeout: "out of time",
  memory: "out of memory",
  disk: "out of disk",
  processes: "too many processes",
  cancelled: "cancelled",
};

/** How shells and env say that a program is not there; the name may be quoted. */
const NOT_FOUND =
  /(?:^|[\s:])['"‘]?([^\s:'"‘’]+)['"’]?: (?:command not found|not found|No such file or directory|Permission denied|cannot execute[^\n]*)$/gm;
const NO_PYTEST = /No module named '?pytest'?\s*$/m;

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

interface Ended {
  result: ProgramResult;
  /** What it printed. */
  output: string;
  /** The graded copy, as the test sees it. */
  repo: string;
}

interface Breakage {
  reason: string;
  /** A patch that is wrong, or missing, can bring it about: a module that can't be imported, a loop without an end. */
  mayBePatch: boolean;
}

/**
 * Why a test could not run; undefined where it ran, however it ended. A test script has only its exit code and its words
 * to tell the two apart, so this goes by what is known of shells and of pytest:
 * - 126 and 127 are how a shell says that a program can't be started. A path inside of the repository is what the agent
 *   should have made or kept, so that is a test that failed; anything else is missing on the machine.
 * - pytest: its own crash (3), wrong use or a test that could not be collected (4) and no tests at all (5), each only
 *   where its words are there, too; and the interpreter's complaint that pytest is not installed.
 * Whose doing it is, `whoBroke` finds out.
 */
export function whyBroken({ result: { exitCode, ended }, output, repo }: Ended): Breakage | undefined {
  const byMachine = (reason: string) => ({ reason, mayBePatch: false });
  if (ended === "timeout") return { reason: "it was still running when its time was up", mayBePatch: true };
  if (exitCode === 0 || exitCode === null || ended !== undefined) return undefined;
  if (NO_PYTEST.test(output)) return byMachine("pytest is not installed");
  if (exitCode === 3 && /^INTERNALERROR>/m.test(output)) return byMachine("pytest broke (exit 3)");
  if (exitCode === 4 && /^ERROR(: | )/m.test(output))
    return { reason: "pytest was called wrongly or could not collect it (exit 4)", mayBePatch: true };
  if (exitCode === 5 && /no tests ran|collected 0 items/.test(output))
    return byMachine("pytest found no tests (exit 5)");
  if (exitCode !== 126 && exitCode !== 127) return undefined;
  const missing = [...output.matchAll(NOT_FOUND)].at(-1)?.[1];
  if (missing !== undefined && isInside(missing, repo)) return undefined;
  const what = missing === undefined ? "a program" : missing;
  return byMachine(`${what} could not be started (exit ${exitCode})`);
}

/** A relative path with a folder in it, or an absolute one below the repository. */
function isInside(path: string, repo: string): boolean {
  return path.startsWith("/") ? path.startsWith(`${repo}/`) : path.includes("/");
}

type End = NonNullable<ProgramResult["ended"]>;

/** Why a program was ended. */
export function endWords(ended: End): string {
  return WORDS[ended];
}
