import { numberText, rangeText } from "../../core/number-text.ts";
import type { LevelChange, Step } from "./detect-steps.ts";
import type { HistoryPoint } from "./history.ts";

export type StepVerdict = "worse" | "better" | "changed";

export function judgeStep({ before, after }: LevelChange, goal: "minimize" | "maximize" | null): StepVerdict {
  if (goal === null) return "changed";
  return after > before === (goal === "minimize") ? "worse" : "better";
}

/** `+12 % [8, 16]`, or in the metric's own unit where there is no share. */
export function stepSize({ relative, difference, before, after }: LevelChange): string {
  if (relative.known) {
    const { estimate, low, high } = relative;
    return rangeText(
      { value: 100 * estimate, low: 100 * low, high: 100 * high },
      { unit: " %", signed: true },
    );
  }
  if (difference.known)
    return rangeText(
      { value: difference.estimate, low: difference.low, high: difference.high },
      { signed: true },
    );
  return `from ${numberText(before)} to ${numberText(after)}`;
}

/** `step of +12 % [8, 16] at abc1234 (2026-01-02), for the worse; it could be anywhere from a to b`. */
export function stepSentence(
  step: Step,
  points: readonly HistoryPoint[],
  options: { goal: "minimize" | "maximize" | null; dateOf: (ms: number) => string },
): string {
  const at = points[step.at]!;
  const verdict = judgeStep(step, options.goal);
  const side = verdict === "changed" ? "" : `, for the ${verdict}`;
  const range =
    step.first === step.last
      ? ""
      : `; it could be anywhere from ${points[step.first]!.label} to ${points[step.last]!.label}`;
  const machine = step.machine ? `; the machine changed there, too: ${step.machine.join(", ")}` : "";
  return `step of ${stepSize(step)} at ${at.label} (${options.dateOf(at.atMs)})${side}${range}${machine}`;
}
