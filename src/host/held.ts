import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  type Stats,
} from "node:fs";

/** Linux only: holds a file or folder without opening it, so its permissions don't matter. Node has no name for it. */
const O_PATH = 0o10000000;
const DESCRIPTORS = "/proc/self/fd";
const canHold = process.platform === "linux" && existsSync(DESCRIPTORS);

/**
 * A file or folder that somebody else may be changing. Once held, `path` leads to it and to nothing else: a link that
 * takes its place is never followed, and neither is a link that stood there from the start. It is also short, however
 * deep the folder lies. Where the system can't hold anything, `path` is the path itself.
 */
export class Held implements Disposable {
  readonly path: string | Buffer;
  readonly stats: Stats;
  readonly #descriptor: number | undefined;

  constructor(path: string | Buffer) {
    if (canHold) {
      this.#descriptor = openSync(path, O_PATH | constants.O_NOFOLLOW);
      this.path = `${DESCRIPTORS}/${this.#descriptor}`;
      this.stats = fstatSync(this.#descriptor);
    } else {
      this.path = path;
      this.stats = lstatSync(path);
    }
  }

  /** Gives the owner these permissions where they are missing. */
  allow(bits: number): void {
    const { mode } = this.stats;
    if (this.stats.isSymbolicLink() || (mode & bits) === bits) return;
    try {
      chmodSync(this.path, mode | bits);
    } catch {
      // Somebody else's: whoever needs the permission will hear from the system.
    }
  }

  /** The names in a folder, as bytes: not every name is UTF-8. */
  names(): Buffer[] {
    return readdirSync(this.path, { encoding: "buffer" });
  }

  /** The way to an entry of a folder. */
  entry(name: Buffer): Buffer {
    return Buffer.concat([Buffer.from(this.path), Buffer.from("/"), name]);
  }

  [Symbol.dispose](): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }
}

/** What stands at a path is not what should: somebody put it there. */
export class OddFile extends Error {}

/** What stands at a path, in words; undefined where nothing does. Links are not followed. */
export function kindAt(path: string): "a file" | "a folder" | "a link" | "a pipe or device" | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (stats.isFile()) return "a file";
  if (stats.isDirectory()) return "a folder";
  return stats.isSymbolicLink() ? "a link" : "a pipe or device";
}

export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The owner may do everything in a folder again. */
export function unlockFolder(dir: string): void {
  using folder = new Held(dir);
  folder.allow(0o700);
}

/** To another parent, for which a folder must be writable itself. */
export function moveFolder(from: string, to: string): void {
  unlockFolder(from);
  renameSync(from, to);
}
