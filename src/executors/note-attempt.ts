import type { Attempt } from "../core/run.ts";
import { RUN_FILES, runDir } from "../core/study-folder.ts";
import { readJsonIfAny, replaceFile } from "../host/files.ts";

/** Whoever looks at the folder of a run finds what was learnt of it after it had ended, too. */
export function noteAttempt(
  studyDir: string,
  runId: string,
  { metrics, labels, scored, outcome, warnings }: Attempt,
): void {
  const path = `${runDir(studyDir, runId)}/${RUN_FILES.meta}`;
  const meta = readJsonIfAny<Record<string, unknown> | null>(path, { isForeign: true });
  if (!meta) return;
  const { owner, reason, ...rest } = meta;
  const { status, exitCode: _, ...why } = outcome;
  const now = {
    ...rest,
    status,
    ...(status === "ok" ? {} : why),
    metrics,
    ...(labels && { labels }),
    ...(warnings && { warnings }),
    ...(scored && { scored }),
  };
  replaceFile(path, `${JSON.stringify(now, null, 2)}\n`, { isDurable: false });
}
