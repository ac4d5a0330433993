import { HashTable } from "../core/hash.ts";
import { hashOf, isFailure, type RunRecord } from "../core/run.ts";
import type { StudyCard } from "../reporters/study-view.ts";

const MOST_FAILURES = 10;
const RECENT_MS = 10_000;

/** What a run counts as, as everywhere; one that never began was cancelled. */
const KINDS = ["ok", "stopped", "failed", "cancelled"] as const;

/** Counts a study's records as they come, the newest of each run; 16 bytes a run. */
export class Tally {
  readonly #kinds = new HashTable();
  readonly #byKind = KINDS.map(() => 0);
  #failures: StudyCard["newestFailures"] = [];
  /** When runs ended, of late: for the pace. */
  #endings: number[] = [];
  costUsd = 0;
  updatedAtMs: number | null = null;

  /** All that was spent counts, also on tries and parameters of the past; the rest only of the study as it is. */
  add(record: RunRecord, { isCurrent, nowMs }: { isCurrent: boolean; nowMs: number }): void {
    for (const { costUsd } of [record, ...(record.earlier ?? [])]) this.costUsd += costUsd ?? 0;
    if (!isCurrent) return;
    const { status, reason } = record.outcome;
    const key = keyOf(record.id);
    const before = this.#kinds.get(key);
    if (before !== undefined) this.#byKind[before]!--;
    const now = KINDS.indexOf(kindOf(record.outcome));
    this.#byKind[now]!++;
    this.#kinds.set(key, now);
    const endedAtMs = record.startedAtMs + record.wallMs;
    this.updatedAtMs = Math.max(this.updatedAtMs ?? 0, endedAtMs);
    if (nowMs - endedAtMs < RECENT_MS) this.#endings.push(endedAtMs);
    if (this.#failures.some(({ id }) => id === record.id))
      this.#failures = this.#failures.filter(({ id }) => id !== record.id);
    if (!isFailure(record.outcome)) return;
    this.#failures.push({ id: record.id, reason: reason ?? status, atMs: endedAtMs });
    if (this.#failures.length > MOST_FAILURES) this.#failures.shift();
  }

  get counts(): { ended: number; ok: number; stopped: number; failed: number; cancelled: number } {
    const [ok = 0, stopped = 0, failed = 0, cancelled = 0] = this.#byKind;
    return { ended: this.#kinds.size, ok, stopped, failed, cancelled };
  }

  get newestFailures(): StudyCard["newestFailures"] {
    return this.#failures.toReversed();
  }

  /** Runs ended a second, over the last ten, or since the start where that is less. */
  perSecond(nowMs: number, startedAtMs: number): number | null {
    this.#endings = this.#endings.filter((endedAtMs) => nowMs - endedAtMs < RECENT_MS);
    const spanMs = Math.min(RECENT_MS, nowMs - startedAtMs);
    return spanMs < 500 ? null : (1000 * this.#endings.length) / spanMs;
  }
}

function kindOf(outcome: RunRecord["outcome"]): (typeof KINDS)[number] {
  if (isFailure(outcome)) return "failed";
  if (outcome.status === "stopped") return "stopped";
  return outcome.status === "cancelled" || outcome.status === "skipped" ? "cancelled" : "ok";
}

/** A run's hash as a number; ids that another tool made may end otherwise. */
function keyOf(id: string): number {
  const hash = Number.parseInt(hashOf(id), 16);
  if (/^[0-9a-f]{12}$/.test(hashOf(id))) return hash;
  let sum = 7;
  for (let i = 0; i < id.length; i++) sum = (sum * 31 + id.charCodeAt(i)) % 281_474_976_710_597;
  return sum;
}
