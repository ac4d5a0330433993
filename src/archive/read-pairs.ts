import { errorText, UserError } from "../core/errors.ts";
import { readText } from "../host/files.ts";

/** Which runs are compared: pair by pair, or two lists. */
export interface ListedRuns {
  pairs: { control: string; candidate: string; seed?: number }[];
  control: string[];
  candidate: string[];
}

const SHAPE =
  'pairs such as [{"control": "run1", "candidate": "run2", "seed": 1}], or {"control_run_ids": [...], "candidate_run_ids": [...]}';

/** Reads --pairs: a file, or the JSON itself, once or several times. */
export function readPairs(words: readonly string[]): ListedRuns {
  const listed: ListedRuns = { pairs: [], control: [], candidate: [] };
  for (const word of words) add(listed, parse(word), word);
  return listed;
}

function parse(word: string): unknown {
  const isInline = /^\s*[[{]/.test(word);
  try {
    return JSON.parse(isInline ? word : readText(word));
  } catch (error) {
    throw new UserError(`--pairs ${isInline ? "" : word}: ${errorText(error)}`, { expected: SHAPE });
  }
}

function add(listed: ListedRuns, content: unknown, word: string): void {
  if (Array.isArray(content)) {
    for (const item of content) add(listed, item, word);
    return;
  }
  const item = (content ?? {}) as Record<string, unknown>;
  if (typeof item.control === "string" && typeof item.candidate === "string") {
    const seed = typeof item.seed === "number" ? { seed: item.seed } : {};
    listed.pairs.push({ control: item.control, candidate: item.candidate, ...seed });
  } else if (Array.isArray(item.pairs)) add(listed, item.pairs, word);
  else if (Array.isArray(item.control_run_ids) && Array.isArray(item.candidate_run_ids)) {
    listed.control.push(...item.control_run_ids.map(String));
    listed.candidate.push(...item.candidate_run_ids.map(String));
  } else {
    throw new UserError("--pairs", { expected: SHAPE, got: JSON.stringify(content).slice(0, 80) });
  }
}
