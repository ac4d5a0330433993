import { readFileSync, statSync } from "node:fs";
import type { EarlierAttempt } from "../core/run.ts";

/**
 * What a try had cost that was killed: its folder still says that it runs, and how much it had spent by then in
 * `out/spent.json`. Undefined where the try ended by itself, or told of no cost.
 */
export function readLost(dir: string): EarlierAttempt | undefined {
  try {
    const meta = JSON.parse(readFileSync(`${dir}/meta.json`, "utf8"));
    const path = `${dir}/out/spent.json`;
    const { costUsd } = JSON.parse(readFileSync(path, "utf8"));
    if (meta.status !== "running" || typeof costUsd !== "number" || !(costUsd >= 0)) return undefined;
    const wallMs = Math.max(0, statSync(path).mtimeMs - meta.start_time_unix_s * 1000);
    return { reason: "it was killed", wallMs, costUsd };
  } catch {
    return undefined;
  }
}
