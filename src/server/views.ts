import { statSync } from "node:fs";
import type { ViewRequest } from "./compute-view.ts";
import { ViewThread } from "./view-thread.ts";

const MOST_KEPT = 32;
const WATCHED = ["journal.jsonl", "study.json"];

/** Views as JSON text, computed again only when a study's files have changed. */
export class Views {
  readonly #threads = { study: new ViewThread(), run: new ViewThread() };
  /** Least recently used first. */
  readonly #kept = new Map<string, Promise<string>>();

  /** Makes ready for the first request. */
  warmUp(): void {
    this.#threads.study.warmUp();
  }

  get(request: ViewRequest): Promise<string> {
    // A run's output grows while it runs, and one is quick; it also must not wait behind a study's statistics.
    if (request.kind === "run") return this.#threads.run.compute(request);
    const dirs = request.kind === "compare" ? [request.a.dir, request.b.dir] : [request.dir];
    const key = JSON.stringify([request, dirs.map(stampOf)]);
    const kept = this.#kept.get(key) ?? this.#threads.study.compute(request);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    kept.catch(() => this.#kept.delete(key));
    for (const old of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT) break;
      this.#kept.delete(old);
    }
    return kept;
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#threads).map((thread) => thread.close()));
  }
}

/** What the files of a study are now, as far as their sizes and times tell. */
function stampOf(dir: string): string {
  return WATCHED.map((name) => {
    const stats = statSync(`${dir}/${name}`, { throwIfNoEntry: false });
    return stats ? `${stats.ino}:${stats.size}:${stats.mtimeMs}` : "";
  }).join(" ");
}
