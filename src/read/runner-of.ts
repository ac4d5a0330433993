import { existsSync } from "node:fs";
import { LIVE_STATE, type LiveState } from "../core/live-state.ts";
import { fitting } from "../core/shape.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import { readJsonIfAny } from "../host/files.ts";
import { currentHolder, type Holder } from "../host/lock.ts";

/** Who runs a study now, and what it says of itself. */
export interface Runner {
  holder: Holder;
  live: LiveState | undefined;
  /** Whether it takes requests: older versions do not. */
  listens: boolean;
}

export async function runnerOf(studyDir: string): Promise<Runner | undefined> {
  const holder = await currentHolder(studyDir);
  if (!holder) return undefined;
  return {
    holder,
    live: fitting<LiveState>(readJsonIfAny(`${studyDir}/${STUDY_FILES.live}`), LIVE_STATE),
    listens: existsSync(`${studyDir}/${STUDY_FILES.control}`),
  };
}

/** How long the rest takes at the pace so far. */
export function etaMs({ startedAtMs, ok, failed, total, finished }: LiveState): number | null {
  const fresh = ok + failed;
  if (fresh === 0) return null;
  return ((Date.now() - startedAtMs) / fresh) * (total - finished - fresh);
}
