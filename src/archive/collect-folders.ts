import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { ByteSink } from "./byte-sink.ts";
import { Columns } from "./columns.ts";
import { readFolder } from "./read-folder.ts";

/** What one thread makes of its share of the folders. */
export interface Share {
  csv: string;
  rows: number;
  unreadable: string[];
  /** Whether a folder had a column that was not in the sample. */
  isIncomplete: boolean;
}

const SAMPLE = 200;
/** Fewer folders than this are read before a thread would have started. */
const WORTH_THREADS = 2000;

/** Reads run folders, on all cores where there are many, and writes their rows in order. */
export async function collectFolders(
  studyDir: string,
  ids: string[],
  file: number,
): Promise<{ rows: number; unreadable: string[] }> {
  let columns = learn(studyDir, ids.slice(0, SAMPLE));
  let shares = await readAll(studyDir, ids, columns);
  if (shares.some(({ isIncomplete }) => isIncomplete)) {
    columns = learn(studyDir, ids);
    shares = [readShare(studyDir, ids, columns)];
  }
  const sink = new ByteSink(file);
  sink.text(columns.header);
  for (const { csv } of shares) sink.text(csv);
  sink.flush();
  return {
    rows: shares.reduce((sum, share) => sum + share.rows, 0),
    unreadable: shares.flatMap((share) => share.unreadable),
  };
}

export function learn(studyDir: string, ids: string[]): Columns {
  const columns = new Columns();
  for (const id of ids) {
    const row = readFolder(`${studyDir}/runs/${id}`);
    if (row) columns.learn(row);
  }
  return columns;
}

export function readShare(studyDir: string, ids: string[], columns: Columns): Share {
  const share: Share = { csv: "", rows: 0, unreadable: [], isIncomplete: false };
  const lines: string[] = [];
  for (const id of ids) {
    const row = readFolder(`${studyDir}/runs/${id}`);
    if (!row) share.unreadable.push(id);
    else if (!columns.covers(row)) return { ...share, isIncomplete: true };
    else lines.push(columns.line(row));
  }
  return { ...share, csv: lines.join(""), rows: lines.length };
}

/** This thread takes a share too; the sample is read again by whoever has it, which costs less than sending it. */
async function readAll(studyDir: string, ids: string[], columns: Columns): Promise<Share[]> {
  const threads = ids.length < WORTH_THREADS ? 1 : availableParallelism();
  const size = Math.ceil(ids.length / threads);
  const others = Array.from({ length: threads - 1 }, (_, i) => {
    const part = ids.slice((i + 1) * size, (i + 2) * size);
    return readInThread({ studyDir, ids: part, sample: ids.slice(0, SAMPLE) });
  });
  return [readShare(studyDir, ids.slice(0, size), columns), ...(await Promise.all(others))];
}

export interface ThreadShare {
  studyDir: string;
  ids: string[];
  sample: string[];
}

function readInThread(share: ThreadShare): Promise<Share> {
  const isSource = import.meta.url.endsWith(".ts");
  const entry = new URL(isSource ? "../../dist/collect-worker.js" : "./collect-worker.js", import.meta.url);
  return new Promise((resolve, reject) => {
    const worker = new Worker(fileURLToPath(entry), { workerData: share });
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}
