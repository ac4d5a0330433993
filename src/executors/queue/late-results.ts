import { appendFileSync, createReadStream, existsSync } from "node:fs";
import { JournalReader } from "../../core/read-journal.ts";
import type { RunResult } from "../../fleet/protocol.ts";

/**
 * Writes down what came after its run had been recorded: from a worker that was taken for dead and was not. It is a
 * second attempt at that run, and changes nothing about its record.
 */
export function recordLate(studyDir: string, { runId, attempt, result }: RunResult, worker: string): void {
  const { outcome, metrics, startedAtMs, wallMs, costUsd } = result;
  const line = { id: runId, attempt: attempt + 1, worker, outcome, metrics, startedAtMs, wallMs, costUsd };
  appendFileSync(`${studyDir}/late.jsonl`, `${JSON.stringify(line)}\n`);
}

/** When the recorded try of each of these runs began, as the journal says; runs without a record are absent. */
export async function recordedStarts(
  studyDir: string,
  runIds: ReadonlySet<string>,
): Promise<Map<string, Set<number>>> {
  const starts = new Map<string, Set<number>>();
  const path = `${studyDir}/journal.jsonl`;
  if (runIds.size === 0 || !existsSync(path)) return starts;
  const reader = new JournalReader(({ id, startedAtMs }) => {
    if (!runIds.has(id)) return;
    const known = starts.get(id);
    if (known) known.add(startedAtMs);
    else starts.set(id, new Set([startedAtMs]));
  });
  for await (const chunk of createReadStream(path)) reader.push(chunk as Buffer);
  reader.end();
  return starts;
}
