import { readdirSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { isStudy } from "../archive/find-study.ts";
import { STUDY_FILES } from "../core/study-folder.ts";

const RESCAN_MS = 1000;
/** A study that nobody knows yet may have been made a moment ago; whoever asks for nonsense costs a scan in this time. */
const RESCAN_FOR_ONE_MS = 100;
const MOST_DEEP = 5;
const MOST_STUDIES = 5000;
/** What a study's own folder holds: no studies in there, but perhaps a hundred thousand runs. */
const PARTS_OF_A_STUDY = new Set([
  STUDY_FILES.runs,
  STUDY_FILES.report,
  STUDY_FILES.control,
  STUDY_FILES.taskResults,
  "aggregate",
  "artifacts",
  "node_modules",
]);

/**
 * The studies below a folder, by id: the path from there, with slashes. An id from outside is looked up here and
 * never made into a path. Links are not followed, so that nothing outside is served.
 */
export class StudyShelf {
  readonly root: string;
  readonly #isSingle: boolean;
  #studies = new Map<string, string>();
  #scannedAtMs = Number.NEGATIVE_INFINITY;

  /** `isSingle`: the folder is, or is about to be, a study itself. */
  constructor(root: string, { isSingle = isStudy(root) } = {}) {
    this.root = resolve(root);
    this.#isSingle = isSingle;
  }

  /** Folders by id, sorted. */
  all(): ReadonlyMap<string, string> {
    if (performance.now() - this.#scannedAtMs > RESCAN_MS) this.#scan();
    return this.#studies;
  }

  /** The folder of a study that is there; one that has just been made is looked for. */
  find(id: string): string | undefined {
    const known = this.#studies.get(id);
    if (known !== undefined && isStudy(known)) return known;
    if (performance.now() - this.#scannedAtMs > RESCAN_FOR_ONE_MS) this.#scan();
    return this.#studies.get(id);
  }

  #scan(): void {
    const found: string[] = [];
    this.#walk(this.root, 0, found);
    const base = this.#isSingle ? dirname(this.root) : this.root;
    const ids = found.map((dir) => [relative(base, dir) || basename(dir), dir] as const);
    this.#studies = new Map(ids.sort(([a], [b]) => (a < b ? -1 : 1)));
    this.#scannedAtMs = performance.now();
  }

  #walk(dir: string, depth: number, found: string[]): void {
    if (found.length >= MOST_STUDIES) return;
    if (isStudy(dir) || (depth === 0 && this.#isSingle)) found.push(dir);
    if (depth === MOST_DEEP) return;
    for (const entry of entriesOf(dir)) {
      if (!entry.isDirectory() || entry.name.startsWith(".") || PARTS_OF_A_STUDY.has(entry.name)) continue;
      this.#walk(join(dir, entry.name), depth + 1, found);
    }
  }
}

function entriesOf(dir: string) {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}
