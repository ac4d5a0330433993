import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { errorCode, UserError } from "../core/errors.ts";
import type { ControlRequest } from "../core/live-state.ts";
import { STUDY_FILES, titleOf } from "../core/study-folder.ts";
import { sleep } from "../host/clock.ts";
import { replaceFile } from "../host/files.ts";
import { type Runner, runnerOf } from "../read/runner-of.ts";

const LOOK_MS = 20;
const PATIENCE_MS = 5000;
let asked = 0;

/**
 * Asks the runner of a study, in whichever process or on whichever machine it is, to pause, go on or cancel:
 * through a file in the study's folder. True when the runner has taken it, false when it has not yet.
 */
export async function askRunner(studyDir: string, request: ControlRequest): Promise<boolean> {
  const runner = await runnerOf(studyDir);
  const name = titleOf(studyDir);
  if (!runner) throw new UserError(`${name} is not running`, { remedy: "`assay run` starts or resumes it." });
  if (!runner.listens)
    throw new UserError(`${name} is being run by process ${runner.holder.pid}, which takes no requests`);
  const whole = request.run === undefined ? request : { ...request, run: runNamed(request.run, runner) };
  // The name orders requests of one asker; two askers within one millisecond have no order.
  const number = String(asked++).padStart(6, "0");
  const path = `${studyDir}/${STUDY_FILES.control}/${Date.now()}-${number}-${randomBytes(4).toString("hex")}.json`;
  try {
    replaceFile(path, JSON.stringify(whole), { isDurable: false });
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    throw new UserError(`${name} has just ended`);
  }
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += LOOK_MS) {
    if (!existsSync(path)) return true;
    await sleep(LOOK_MS);
  }
  return false;
}

/** The id of a run that is under way, from a part of it that no other has. */
function runNamed(named: string, { live }: Runner): string {
  const ids = (live?.running ?? []).map(({ id }) => id);
  if (ids.includes(named)) return named;
  const like = ids.filter((id) => named !== "" && id.includes(named));
  if (like.length === 1) return like[0]!;
  throw new UserError(`no run "${named}" is in progress`, {
    expected: `one of ${ids.slice(0, 10).join(", ") || "none: nothing runs just now"}`,
    ...(like.length > 1 && { got: `a part of ${like.length} of them` }),
  });
}
