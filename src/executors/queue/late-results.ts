import { createReadStream, existsSync } from "node:fs";
import { type LateAttempt, parseLateAttempts } from "../../core/late-attempt.ts";
import { JournalReader } from "../../core/read-journal.ts";
import { STUDY_FILES } from "../../core/study-folder.ts";
import type { RunResult } from "../../fleet/protocol.ts";
import { appendText, readFolderText } from "../../host/files.ts";

/**
 * Writes down what came after its run had been recorded: a second attempt at that run, which changes nothing about its
 * record. Gives what it has cost; the same one once more (a coordinator died before it could say that it had it) costs
 * nothing. Reasons are left out: they are words of the program, and only the journal is cleared of secrets.
 */
export function recordLate(studyDir: string, { runId, attempt, result }: RunResult, worker: string): number {
  const { outcome, metrics, startedAtMs, wallMs, costUsd } = result;
  const path = `${studyDir}/${STUDY_FILES.late}`;
  const isKnown = parseLateAttempts(existsSync(path) ? readFolderText(path) : "").some(
    (one) => one.id === runId && one.startedAtMs === startedAtMs && one.worker === worker,
  );
  if (isKnown) return 0;
  const { status, owner } = outcome;
  const late: LateAttempt = {
    id: runId,
    attempt: attempt + 1,
    worker,
    outcome: owner === undefined ? { status } : { status, owner },
    metrics,
    startedAtMs,
    wallMs,
    ...(costUsd !== undefined && { costUsd }),
  };
  appendText(path, `${JSON.stringify(late)}\n`);
  return costUsd ?? 0;
}

/** When the recorded tries of each of these runs began, as the journal says; runs without a record are absent. */
export async function recordedStarts(
  studyDir: string,
  runIds: ReadonlySet<string>,
): Promise<Map<string, Set<number>>> {
  const starts = new Map<string, Set<number>>();
  const path = `${studyDir}/${STUDY_FILES.journal}`;
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
