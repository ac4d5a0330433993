import type { Turn } from "../../src/core/trajectory.ts";
import { promptOf } from "./turn-facts.ts";

/** A turn as the outline has it. */
export interface OutlineEntry {
  /** What it used, in a word; "" where it did nothing. */
  tool: string;
  /** What came back looks like an error. A guess, from words that tools use. */
  isError: boolean;
  /** Of the prompt; 0 where nobody counted. */
  tokens: number;
}

const ERROR =
  /^Traceback \(most|\b[A-Z]\w*(?:Error|Exception)\b[:\n]|^(?:[Ee]rror|ERROR|fatal|panic)\b[^\n]{0,5}:|command not found|No such file or directory|\bFAILED\b|^[\s=]*[1-9]\d* failed\b|[Ee]xit (?:code|status):? [1-9]/m;

export function outlineOf({ action, observation, usage, context }: Turn): OutlineEntry {
  const words = (action ?? "").trim();
  const [, tool = ""] = /^(?:\w+=\S* )*([^\s({:]+)/.exec(words) ?? [];
  return {
    tool: tool.split("/").at(-1)!.slice(0, 24),
    isError: observation !== null && ERROR.test(observation.slice(0, 20_000)),
    tokens: promptOf(usage) ?? context?.promptTokens ?? 0,
  };
}
