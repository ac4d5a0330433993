import { statSync } from "node:fs";
import type { EarlierAttempt } from "../core/run.ts";
import { RUN_FILES, SPENT_FILE } from "../core/study-folder.ts";
import { readJson } from "../host/files.ts";

/**
 * What a try had cost that was killed: its folder still says that it runs, and how much it had spent by then in
 * `out/spent.json`. Undefined where the try ended by itself, or told of no cost.
 */
export function readLost(dir: string): EarlierAttempt | undefined {
  try {
    const meta = readJson<{ status: string; start_time_unix_s: number }>(`${dir}/${RUN_FILES.meta}`, {
      isForeign: true,
    });
    const path = `${dir}/${RUN_FILES.out}/${SPENT_FILE}`;
    const { costUsd } = readJson<{ costUsd: unknown }>(path, { isForeign: true });
    if (meta.status !== "running" || typeof costUsd !== "number" || !(costUsd >= 0)) return undefined;
    const wallMs = Math.max(0, statSync(path).mtimeMs - meta.start_time_unix_s * 1000);
    return { reason: "it was killed", wallMs, costUsd };
  } catch {
    return undefined;
  }
}
