import type { ProgramResult } from "../../../sandboxes/sandbox.ts";

interface Ended {
  result: ProgramResult;
  /** What it printed. */
  output: string;
  /** The graded copy, as the test sees it. */
  repo: string;
}

/** How shells and env say that a program is not there; the name may be quoted. */
const NOT_FOUND =
  /(?:^|[\s:])['"‘]?([^\s:'"‘’]+)['"’]?: (?:command not found|not found|No such file or directory|Permission denied|cannot execute[^\n]*)$/gm;
const NO_PYTEST = /No module named '?pytest'?\s*$/m;

export interface Breakage {
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
