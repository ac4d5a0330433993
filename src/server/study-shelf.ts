import { readdirSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { isStudy } from "../archive/read-records.ts";
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
  /** Other folders with studies, each by the name that its ids begin with. */
  readonly #others: ReadonlyMap<string, string>;
  readonly #isSingle: boolean;
  #studies = new Map<string, string>();
  #scannedAtMs = Number.NEGATIVE_INFINITY;

  /** `isSingle`: the folder is, or is about to be, a study itself. */
  constructor(
    root: string,
    { isSingle = isStudy(root), others = [] }: { isSingle?: boolean; others?: readonly string[] } = {},
  ) {
    this.root = resolve(root);
    this.#isSingle = isSingle;
    this.#others = others.length === 0 ? new Map() : nameRoots([root, ...others]);
  }

  /** Every folder that is served. */
  get roots(): string[] {
    return this.#others.size === 0 ? [this.root] : [...this.#others.values()];
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
    const ids = this.#others.size === 0 ? this.#idsBelow(this.root, this.#isSingle) : this.#idsOfAll();
    this.#studies = new Map(ids.sort(([a], [b]) => (a < b ? -1 : 1)));
    this.#scannedAtMs = performance.now();
  }

  #idsOfAll(): [id: string, dir: string][] {
    return [...this.#others].flatMap(([name, root]) =>
      this.#idsBelow(root, false).map(([id, dir]): [string, string] => [
        dir === root ? name : `${name}/${id}`,
        dir,
      ]),
    );
  }

  #idsBelow(root: string, isSingle: boolean): [id: string, dir: string][] {
    const found: string[] = [];
    this.#walk(root, { depth: 0, isSingle }, found);
    const base = isSingle ? dirname(root) : root;
    return found.map((dir) => [relative(base, dir) || basename(dir), dir]);
  }

  #walk(dir: string, { depth, isSingle }: { depth: number; isSingle: boolean }, found: string[]): void {
    if (found.length >= MOST_STUDIES) return;
    if (isStudy(dir) || (depth === 0 && isSingle)) found.push(dir);
    if (depth === MOST_DEEP) return;
    for (const entry of entriesOf(dir)) {
      if (!entry.isDirectory() || entry.name.startsWith(".") || PARTS_OF_A_STUDY.has(entry.name)) continue;
      this.#walk(join(dir, entry.name), { depth: depth + 1, isSingle }, found);
    }
  }
}

/** By their last part; where two have the same, also by a number. */
function nameRoots(roots: readonly string[]): Map<string, string> {
  const named = new Map<string, string>();
  for (const root of roots.map((one) => resolve(one))) {
    const name = basename(root);
    let free = name;
    for (let i = 2; named.has(free) && named.get(free) !== root; i++) free = `${name}-${i}`;
    named.set(free, root);
  }
  return named;
}

function entriesOf(dir: string) {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}
