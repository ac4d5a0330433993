import type { Message } from "../../core/message.ts";
import { readTestOutput } from "./read-code.ts";
import type { Slips } from "./slips.ts";

/** Whether a prompt asks for a score: its first message says how to give one. */
export function isReview([first]: readonly Message[]): boolean {
  return first?.role === "system" && first.text.includes('a line "Score: N"');
}

/** Judges an attempt by how its tests ended after the last change, as far as the prompt shows it; errs at times. */
export function review(messages: readonly Message[], slips: Slips): string {
  const text = messages.at(-1)?.text ?? "";
  const patch = text.slice(text.lastIndexOf("\nThe patch:\n"));
  const { score, why } = judge(text, patch);
  // The same patch under the same seed is judged alike, whatever led to it.
  const isWrong = slips.happens("misjudge", patch);
  return `${why}\nScore: ${isWrong ? 10 - score : score}`;
}

function judge(text: string, patch: string): { score: number; why: string } {
  if (!/^ {2}\S/m.test(patch)) return { score: 0, why: "Nothing was handed in." };
  const afterEdit = text.slice(
    Math.max(0, text.lastIndexOf("\n  edit {")),
    text.lastIndexOf("\nThe patch:\n"),
  );
  const tests = observations(afterEdit)
    .map(readTestOutput)
    .findLast((outcome) => outcome !== undefined);
  if (!tests) return { score: 6, why: "The tests were not run after the last change." };
  return tests.isPassing
    ? { score: 10, why: "The tests pass after the last change." }
    : { score: 2, why: "The tests still fail." };
}

/** What tools printed: indented below a heading that stands at the beginning of its line. */
function observations(turns: string): string[] {
  return [...turns.matchAll(/^Observation:\n((?: {2}.*\n?|\n(?= {2}))*)/gm)].map(([, output]) => output!);
}
