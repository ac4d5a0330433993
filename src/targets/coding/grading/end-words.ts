import type { ProgramResult } from "../../../sandboxes/sandbox.ts";

type End = NonNullable<ProgramResult["ended"]>;

const WORDS: Record<End, string> = {
  timeout: "out of time",
  memory: "out of memory",
  disk: "out of disk",
  processes: "too many processes",
  cancelled: "cancelled",
};

/** Why a program was ended. */
export function endWords(ended: End): string {
  return WORDS[ended];
}
