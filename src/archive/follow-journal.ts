import { closeSync, fstatSync, readSync } from "node:fs";
import { JournalReader } from "../core/read-journal.ts";
import type { RunRecord } from "../core/run.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import { openFile } from "../host/files.ts";

/** Shared, since reading is done in one go; it grows for a line that is longer. */
let chunk = Buffer.allocUnsafe(1 << 20);

/** A place in a journal: which file it was, and how many bytes of whole lines have been read. */
export interface JournalPlace {
  identity: string;
  offset: number;
}

/** What was appended since the last look. */
export interface Growth {
  records: RunRecord[];
  /** Where the records begin; where they end is the follower's own place. */
  from: number;
  /** The journal is another one than before, or shorter: all that was read from it is void. */
  isReset: boolean;
  hasMore: boolean;
}

/**
 * Reads a journal that somebody else appends to. A line without its newline waits until it is whole. The file is
 * opened anew each time, so that one which took its place (--fresh, a repair) is noticed.
 */
export class JournalFollower {
  readonly #path: string;
  identity: string;
  offset: number;

  constructor(studyDir: string, place: JournalPlace = { identity: "", offset: 0 }) {
    this.#path = `${studyDir}/${STUDY_FILES.journal}`;
    this.identity = place.identity;
    this.offset = place.offset;
  }

  /** The next records, about a megabyte of them at most. */
  read(): Growth {
    const growth: Growth = { records: [], from: this.offset, isReset: false, hasMore: false };
    const file = openIfThere(this.#path);
    if (file === undefined) {
      if (this.identity !== "") this.#restart("", growth);
      return growth;
    }
    try {
      const { dev, ino, size } = fstatSync(file);
      const identity = `${dev}.${ino}`;
      if (this.identity === "") this.identity = identity;
      if (identity !== this.identity || size < this.offset) this.#restart(identity, growth);
      const read = readSync(file, chunk, 0, chunk.length, this.offset);
      const whole = chunk.subarray(0, read).lastIndexOf(10) + 1;
      growth.hasMore = read === chunk.length;
      new JournalReader((record) => growth.records.push(record)).push(chunk.subarray(0, whole));
      this.offset += whole;
      if (whole === 0 && growth.hasMore) chunk = Buffer.allocUnsafe(read * 2);
      return growth;
    } finally {
      closeSync(file);
    }
  }

  #restart(identity: string, growth: Growth): void {
    // A journal that appears where there was none, or an empty one, takes nothing back.
    growth.isReset = this.offset > 0;
    this.identity = identity;
    this.offset = 0;
    growth.from = 0;
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openFile(path);
  } catch {
    return undefined;
  }
}
