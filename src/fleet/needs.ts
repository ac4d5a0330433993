import { canonicalJson, shortHash } from "../core/hash.ts";

/** What a worker must have to take a run of a study. */
export interface Needs {
  cores?: number;
  memoryMb?: number;
  labels?: string[];
  /** The study brings code of its own, which some workers don't take. */
  ownCode?: boolean;
}

/** What a worker has. */
export interface Capabilities {
  cores: number;
  memoryMb: number;
  labels: string[];
  onlyShipped: boolean;
}

/** Studies with the same needs share a queue. */
export function classOf(needs: Needs): string {
  const { cores, memoryMb, labels = [], ownCode = false } = needs;
  const text = canonicalJson({ cores, memoryMb, labels: [...new Set(labels)].sort(), ownCode });
  return `jobs-${shortHash(text)}`;
}

/** What a worker lacks of what is needed; undefined where it has all of it. */
export function lackOf(
  { cores, memoryMb, labels = [], ownCode }: Needs,
  has: Capabilities,
): string | undefined {
  if (cores !== undefined && has.cores < cores) return `${cores} cores (it has ${has.cores})`;
  if (memoryMb !== undefined && has.memoryMb < memoryMb)
    return `${memoryMb} MB of memory (it has ${has.memoryMb})`;
  const missing = labels.filter((label) => !has.labels.includes(label));
  if (missing.length > 0) return `the label${missing.length > 1 ? "s" : ""} ${missing.join(", ")}`;
  if (ownCode && has.onlyShipped) return "leave to run code that does not ship with Assay (--only-shipped)";
  return undefined;
}

/** A queue of which no study said anything for so long is forgotten: its chunks are no good any more. */
const FORGET_MS = 7 * 24 * 3600 * 1000;

/** What is said of a queue: which workers it is for, and when a study last used it. */
export function describeClass(needs: Needs, nowMs: number): string {
  return JSON.stringify({ ...needs, usedAtMs: nowMs });
}

export function readClass(text: string, nowMs: number): { needs: Needs; isForgotten: boolean } {
  const { usedAtMs = 0, ...needs } = JSON.parse(text) as Needs & { usedAtMs?: number };
  return { needs, isForgotten: nowMs - usedAtMs > FORGET_MS };
}
