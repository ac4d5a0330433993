import { HashTable } from "../core/hash-table.ts";
import { hashOf, type RunRecord } from "../core/run.ts";
import type { StudyCard } from "../reporters/study-view.ts";

const MOST_FAILURES = 10;
const RECENT_MS = 10_000;
const STATUSES: RunRecord["outcome"]["status"][] = ["ok", "failed", "timeout", "cancelled", "skipped"];

/** Counts a study's records as they come, the newest of each run; 16 bytes a run. */
export class Tally {
  readonly #statuses = new HashTable();
  readonly #byStatus = STATUSES.map(() => 0);
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
    const before = this.#statuses.get(key);
    if (before !== undefined) this.#byStatus[before]!--;
    const now = Math.max(0, STATUSES.indexOf(status));
    this.#byStatus[now]!++;
    this.#statuses.set(key, now);
    const endedAtMs = record.startedAtMs + record.wallMs;
    this.updatedAtMs = Math.max(this.updatedAtMs ?? 0, endedAtMs);
    if (nowMs - endedAtMs < RECENT_MS) this.#endings.push(endedAtMs);
    if (this.#failures.some(({ id }) => id === record.id))
      this.#failures = this.#failures.filter(({ id }) => id !== record.id);
    if (status === "ok" || status === "cancelled") return;
    this.#failures.push({ id: record.id, reason: reason ?? status, atMs: endedAtMs });
    if (this.#failures.length > MOST_FAILURES) this.#failures.shift();
  }

  get counts(): { ended: number; ok: number; failed: number; cancelled: number } {
    const [ok = 0, , , cancelled = 0] = this.#byStatus;
    const ended = this.#statuses.size;
    return { ended, ok, cancelled, failed: ended - ok - cancelled };
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

/** A run's hash as a number; ids that another tool made may end otherwise. */
function keyOf(id: string): number {
  const hash = Number.parseInt(hashOf(id), 16);
  if (/^[0-9a-f]{12}$/.test(hashOf(id))) return hash;
  let sum = 7;
  for (let i = 0; i < id.length; i++) sum = (sum * 31 + id.charCodeAt(i)) % 281_474_976_710_597;
  return sum;
}
