import { readFileSync, writeFileSync } from "node:fs";
import type { Images, Mount, ProgramResult } from "../../sandboxes/sandbox.ts";
import { readPlainFile } from "./read-plain-file.ts";
import type { HealthCheck, RolloutTask } from "./tasks/task.ts";

/** Where a step's own files are until they are copied; engines write below it themselves, so it is no change of the agent's. */
const FILES = "/run/assay-step";
const SAYS = "assay: ";
/** Printed once a machine is ready. A program can't take back that it was started, so it can't blame the machine. */
const READY = `${SAYS}ready\n`;
const MOST_BYTES = 64 << 20;

interface Readying {
  images: Images | undefined;
  /** Who the program is, where not the image's user. */
  user?: string | undefined;
  /** A folder whose content goes into the work folder; its setup.sh runs there. */
  files?: string | null;
}

/**
 * The words and the mounts by which a program starts in a task's machine once that is ready; as it is where nothing is
 * asked. Until then everything is done by the image's user, as Harbor does it.
 */
export async function readyWords(
  { machine, health }: RolloutTask,
  argv: readonly string[],
  { images, user, files = null }: Readying,
): Promise<{ argv: string[]; readable: Mount[]; isAsked: boolean }> {
  if (!machine || (files === null && !health && !machine.boots && user === undefined))
    return { argv: [...argv], readable: [], isAsked: false };
  const become = user === undefined ? undefined : await images!.asUser(user, argv, READY);
  const script = [
    `fail() { echo "${SAYS}$1" >&2; exit 1; }`,
    ...(files === null ? [] : [SET_UP]),
    ...(health ? [waiting(health)] : []),
    ...(become ? [] : [`printf '${SAYS}ready\\n'`]),
    'shift; exec "$@"',
  ].join("\n");
  return {
    argv: ["sh", "-c", script, "sh", health?.command ?? "", ...(become?.argv ?? argv)],
    readable: [...(files === null ? [] : [{ path: files, as: FILES }]), ...(become ? [become.mount] : [])],
    isAsked: true,
  };
}

const SET_UP = `cp -R ${FILES}/. . >&2 || fail "the step's files can't be copied"
if [ -f ${FILES}/setup.sh ]; then bash ./setup.sh >&2 </dev/null || fail "the step's setup.sh ended with $?"; fi`;

function waiting({ intervalS, timeoutS, startPeriodS, startIntervalS, retries }: HealthCheck): string {
  return `failures=0; since=$(date +%s)
until timeout ${timeoutS} sh -c "$1" >&2 </dev/null; do
  if [ $(($(date +%s) - since)) -lt ${Math.ceil(startPeriodS)} ]; then sleep ${startIntervalS}; continue; fi
  failures=$((failures + 1))
  [ $failures -lt ${retries} ] || fail "its health check failed ${retries} times: $1"
  sleep ${intervalS}
done`;
}

/** Takes the mark from what a program printed; why the machine was never ready, where it is not there. */
export function whyNotReady(
  { stdoutPath, stderrPath }: { stdoutPath: string; stderrPath: string },
  { ended }: Pick<ProgramResult, "ended">,
): string | undefined {
  const printed = readFileSync(stdoutPath);
  if (printed.subarray(0, READY.length).toString() === READY) {
    writeFileSync(stdoutPath, printed.subarray(READY.length));
    return undefined;
  }
  const said = (readPlainFile(stderrPath, MOST_BYTES) ?? "").split("\n");
  const own = said.findLast((line) => line.startsWith(SAYS))?.slice(SAYS.length);
  const why =
    own ?? (ended === undefined ? "its ENTRYPOINT does not start what follows it" : `${ended} before it was`);
  return `the task's machine is not ready: ${why}`;
}
