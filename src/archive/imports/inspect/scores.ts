import type { Metrics } from "../../../core/run.ts";
import { field, isObject } from "../../trajectories/json-fields.ts";

/** Letters and words that scorers give for numbers. */
const WORDS: Record<string, number> = { C: 1, I: 0, P: 0.5, N: 0, yes: 1, true: 1, no: 0, false: 0 };

/** A number a scorer, the first one's first; null where it says nothing that counts. */
export function scoreNumbers(scores: Record<string, unknown>): Metrics {
  const numbers: Metrics = {};
  for (const [scorer, score] of Object.entries(scores)) {
    const value = field(score, "value");
    if (isObject(value))
      for (const [part, one] of Object.entries(value)) numbers[`score/${scorer}/${part}`] = numberOf(one);
    else numbers[`score/${scorer}`] = numberOf(value);
  }
  return numbers;
}

function numberOf(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value !== "string") return null;
  const word = Object.hasOwn(WORDS, value) ? WORDS[value] : WORDS[value.toLowerCase()];
  if (word !== undefined) return word;
  const number = Number(value);
  return value.trim() !== "" && Number.isFinite(number) ? number : null;
}
