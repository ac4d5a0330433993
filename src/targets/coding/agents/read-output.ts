import { readPlainFile } from "../read-plain-file.ts";
import type { AgentOutput } from "./program-agent.ts";

const MOST_BYTES = 64 << 20;

interface Kept {
  stdoutPath: string;
  stderrPath: string;
  isWhole: boolean;
}

export function readOutput({ stdoutPath, stderrPath, isWhole }: Kept): AgentOutput {
  const text = (path: string) => readPlainFile(path, MOST_BYTES) ?? "";
  return { stdout: text(stdoutPath), stderr: text(stderrPath), isWhole };
}

/** The JSON objects among the lines of a text, in order; everything else is passed over. */
export function* jsonLines(text: string): Generator<Record<string, unknown>> {
  for (const line of text.split("\n")) {
    if (!line.trimStart().startsWith("{")) continue;
    try {
      yield JSON.parse(line) as Record<string, unknown>;
    } catch {
      // Cut, or no JSON after all.
    }
  }
}
