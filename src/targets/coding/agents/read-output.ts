import { valueAt } from "../../../core/nest-params.ts";
import type { Redactor } from "../../../core/redact.ts";
import { replaceFile } from "../../../host/files.ts";
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

/** All that an agent's program printed, as it was kept. */
export function agentLog(logsDir: string): string {
  const { stdout, stderr } = readOutput({
    ...{ stdoutPath: `${logsDir}/agent.stdout.txt`, stderrPath: `${logsDir}/agent.stderr.txt` },
    isWhole: true,
  });
  return `${stdout}\n${stderr}`;
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

/**
 * How often tools were used, by events as Claude Code has them: a message may come in several, each with other blocks,
 * and a call is known by its id. Null where there is none.
 */
export function countToolUses(events: readonly Record<string, unknown>[]): number | null {
  const ids = new Set<unknown>();
  for (const { type, message } of events) {
    const content = type === "assistant" ? valueAt(message, "content") : undefined;
    if (!Array.isArray(content)) continue;
    for (const block of content) if (valueAt(block, "type") === "tool_use") ids.add(valueAt(block, "id"));
  }
  return events.length === 0 ? null : ids.size;
}

/** Takes the agent's keys out of what it printed. */
export function redactLog(path: string, redactor: Redactor): void {
  if (redactor.needles.length === 0) return;
  const text = readPlainFile(path, MOST_BYTES);
  if (text === undefined) return;
  const clean = redactor.text(text);
  if (clean !== text) replaceFile(path, clean, { isDurable: false });
}
