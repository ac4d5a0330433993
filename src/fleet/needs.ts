import { canonicalJson, shortHash } from "../core/hash.ts";
import { OLDEST_PROTOCOL } from "./envelope.ts";

/** What a worker must have to take a run of a study. */
export interface Needs {
  cores?: number;
  memoryMb?: number;
  labels?: string[];
  /** The study brings code of its own, which some workers don't take. */
  ownCode?: boolean;
  /** Of the fleet, where the oldest can't tell the study. */
  protocol?: number;
}

/** What a worker has. */
export interface Capabilities {
  cores: number;
  memoryMb: number;
  labels: string[];
  onlyShipped: boolean;
  /** The newest that it reads. */
  protocol: number;
}

/** Studies with the same needs share a queue. */
export function classOf(needs: Needs): string {
  const { cores, memoryMb, labels = [], ownCode = false, protocol } = needs;
  const text = canonicalJson({ cores, memoryMb, labels: [...new Set(labels)].sort(), ownCode, protocol });
  return `jobs-${shortHash(text)}`;
}

/** What a worker lacks of what is needed; undefined where it has all of it. */
export function lackOf(
  { cores, memoryMb, labels = [], ownCode, protocol = OLDEST_PROTOCOL }: Needs,
  has: Capabilities,
): string | undefined {
  if (has.protocol < protocol)
    return `protocol ${protocol} of the fleet (it speaks ${has.protocol}): update it`;
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

/** Workers of 0.2.0 know nothing of protocols here and end at a study in a newer one; no worker has such a label. */
const protocolLabel = (protocol: number) => `assay-protocol-${protocol}`;

/** What is said of a queue: which workers it is for, and when a study last used it. */
export function describeClass(needs: Needs, nowMs: number): string {
  const { protocol, labels = [] } = needs;
  const keepsOff = protocol !== undefined && { labels: [...labels, protocolLabel(protocol)] };
  return JSON.stringify({ ...needs, ...keepsOff, usedAtMs: nowMs });
}

export function readClass(text: string, nowMs: number): { needs: Needs; isForgotten: boolean } {
  const { usedAtMs = 0, ...needs } = JSON.parse(text) as Needs & { usedAtMs?: number };
  const { protocol, labels = [] } = needs;
  if (protocol !== undefined) needs.labels = labels.filter((label) => label !== protocolLabel(protocol));
  return { needs, isForgotten: nowMs - usedAtMs > FORGET_MS };
}
