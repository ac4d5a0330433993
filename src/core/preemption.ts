import type { Outcome } from "./run.ts";

/** Why what runs is to end: the machine is wanted back. Programs are asked (TERM) and have their grace; no retry is used up. */
export class Preemption extends Error {
  override name = "Preemption";
}

/** What a program exits with that has saved what it needs to go on: EX_TEMPFAIL of sysexits.h. */
export const TEMPORARY_FAILURE = 75;

/** How a program ended that was asked to: it may have got done, or says that it can go on from where it was. */
export function preempted(code: number | null): Outcome {
  if (code === 0) return { status: "ok", exitCode: 0 };
  if (code === TEMPORARY_FAILURE) return { status: "cancelled", reason: PREEMPTED, exitCode: code };
  return { status: "cancelled" };
}

export const PREEMPTED = "preempted";
