import { errorText } from "../../../core/errors.ts";
import type { BaseFacts } from "./make-base.ts";
import { readEntry, scanTree, type Tree, type TreeEntry } from "./scan-tree.ts";
import type { FileMode, SnapshotFile } from "./snapshot.ts";
import { blobId, isPlainText } from "./store.ts";

/** A path that is not as it was; `now` is null where nothing is there any more. */
export interface ChangedFile {
  path: string;
  now: { mode: FileMode; id: string; bytes: Buffer } | null;
  /** Whether all that there was and is can stand in a patch line by line. */
  isText: boolean;
}

export interface Changes {
  files: ChangedFile[];
  warnings: string[];
}

const MOST_FILE_BYTES = 32 << 20;
const MOST_BYTES = 128 << 20;
/** Warnings of one kind that are told one by one. */
const MOST_NAMED = 5;

/**
 * What differs between a copy and its base. A file of the same size, time and mode as in the base is as it was: copies
 * are made with times that no two files share. `ignored` chooses among the new paths those that are no work of anybody.
 */
export async function findChanges(
  copy: string,
  facts: BaseFacts,
  ignored: (paths: string[], tree: Tree) => Promise<Set<string>>,
): Promise<Changes> {
  const tree = scanTree(copy);
  const before = new Map(facts.files.files.map((file) => [file.path, file]));
  const candidates = tree.entries.filter((entry) => !isAsBefore(entry, before.get(entry.path)));
  const fresh = candidates.filter(({ path }) => !before.has(path)).map(({ path }) => path);
  const litter = fresh.length > 0 ? await ignored(fresh, tree) : new Set<string>();
  const reader = new CappedReader(copy, facts);
  const files = candidates.flatMap((entry) => (litter.has(entry.path) ? [] : reader.changed(entry)));
  const present = new Set(tree.entries.map(({ path }) => path));
  const hidden = tree.unreadable.map(({ path }) => `${path}/`);
  for (const path of before.keys()) {
    if (present.has(path) || tree.isCut || hidden.some((folder) => folder === "/" || path.startsWith(folder)))
      continue;
    files.push({ path, now: null, isText: facts.blobs[path]!.isText });
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, warnings: [...treeWarnings(tree), ...named(reader.leftOut)] };
}

function isAsBefore(entry: TreeEntry, was: SnapshotFile | undefined): boolean {
  if (!was || entry.kind === "link" || was.mode === "120000") return false;
  const isSame = entry.bytes === was.bytes && entry.mtimeMs === was.mtimeS * 1000;
  return isSame && entry.isExecutable === (was.mode === "100755");
}

/** Reads what may have changed, within bounds. What is left out counts as unchanged, and is told. */
class CappedReader {
  readonly leftOut: string[] = [];
  readonly #copy: string;
  readonly #facts: BaseFacts;
  readonly #modes: Map<string, FileMode>;
  #bytes = 0;

  constructor(copy: string, facts: BaseFacts) {
    this.#copy = copy;
    this.#facts = facts;
    this.#modes = new Map(facts.files.files.map(({ path, mode }) => [path, mode]));
  }

  changed(entry: TreeEntry): ChangedFile[] {
    const { path } = entry;
    const problem = this.#problem(entry);
    if (problem !== undefined) {
      this.leftOut.push(`${path} is not in the patch: ${problem}`);
      return [];
    }
    let bytes: Buffer;
    try {
      bytes = readEntry(this.#copy, entry);
    } catch (error) {
      this.leftOut.push(`${path} is not in the patch: ${errorText(error)}`);
      return [];
    }
    this.#bytes += bytes.length;
    const mode = entry.kind === "link" ? "120000" : entry.isExecutable ? "100755" : "100644";
    const id = blobId(bytes);
    const was = this.#facts.blobs[path];
    if (was?.id === id && this.#modes.get(path) === mode) return [];
    return [{ path, now: { mode, id, bytes }, isText: isPlainText(bytes) && (was?.isText ?? true) }];
  }

  #problem({ path, kind, bytes }: TreeEntry): string | undefined {
    if (bytes > MOST_FILE_BYTES) return `it has ${Math.round(bytes / 1e6)} MB`;
    if (this.#bytes + bytes > MOST_BYTES) return `there are more than ${MOST_BYTES >> 20} MB of changes`;
    const isSettings = /(^|\/)\.git(modules|attributes|ignore|mailmap)$/i.test(path);
    return kind === "link" && isSettings ? "git refuses such a link" : undefined;
  }
}

function treeWarnings({ others, unreadable, isCut }: Tree): string[] {
  return [
    ...named(others.map((path) => `${path} is not in the patch: it is neither file nor link`)),
    ...named(
      unreadable.map(
        ({ path, reason }) => `${path || "the copy"} can't be read (${reason}), so it counts as unchanged`,
      ),
    ),
    ...(isCut ? ["the copy has more files than are looked at, so none counts as deleted"] : []),
  ];
}

function named(warnings: string[]): string[] {
  if (warnings.length <= MOST_NAMED) return warnings;
  return [...warnings.slice(0, MOST_NAMED), `and ${warnings.length - MOST_NAMED} more like this one`];
}
