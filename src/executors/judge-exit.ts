import { TEMPORARY_FAILURE } from "../core/preemption.ts";
import type { Redactor } from "../core/redact.ts";
import { failed, OK, type Outcome, timedOut } from "../core/run.ts";
import { readLastLine } from "../targets/command/read-printed.ts";
import type { Exit } from "./launcher.ts";

/** What a program's exit says about the run; `lateMs` is the time limit of one that was ended for being late. */
export function judgeExit({ code, message }: Exit, lateMs: number | undefined): Outcome {
  if (lateMs !== undefined) return timedOut(lateMs);
  if (code === 0) return { ...OK, exitCode: 0 };
  if (code === null) return failed("infrastructure", `the launcher ended${message && `: ${message}`}`);
  // A program's own words go to its files: what comes with a 1 is bash that could not open one of them.
  if (/cannot (create|open)/.test(message) || (code === 1 && message !== ""))
    return failed("infrastructure", message, code);
  if (code === TEMPORARY_FAILURE) return failed("infrastructure", "exit 75 (temporary failure)", code);
  if (code === 126 || code === 127)
    return failed("infrastructure", message || `exit ${code}: could not be started`, code);
  const bySignal = code > 128 && code < 193 ? ` (128 + signal ${code - 128})` : "";
  return failed("agent", `exit ${code}${bySignal}`, code);
}

/** "exit 1" says little; what the program wrote last on stderr mostly says why. */
export function withLastWords(
  outcome: Outcome,
  { path, fromByte, redactor }: { path: string; fromByte: number; redactor: Redactor },
): Outcome {
  if (outcome.status !== "failed" || outcome.owner !== "agent") return outcome;
  const line = readLastLine(path, fromByte);
  return line === "" ? outcome : { ...outcome, reason: `${outcome.reason}: ${redactor.text(line)}` };
}
