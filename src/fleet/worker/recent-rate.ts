const WINDOW_MS = 60_000;

/** How fast a count has grown lately. */
export class RecentRate {
  #seen: { count: number; atMs: number }[] = [];

  /** Takes account of the count now; gives what it grew by in a minute. */
  perMinute(count: number, atMs: number): number {
    const known = this.#seen.filter((one) => atMs - one.atMs <= WINDOW_MS);
    this.#seen = [...known, { count, atMs }];
    const first = this.#seen[0]!;
    return atMs > first.atMs ? ((count - first.count) / (atMs - first.atMs)) * 60_000 : 0;
  }
}
