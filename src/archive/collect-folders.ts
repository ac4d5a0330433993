import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { runDir } from "../core/study-folder.ts";
import { ByteSink } from "./byte-sink.ts";
import { Columns } from "./columns.ts";
import { type FolderFacts, readFolder } from "./read-folder.ts";

/** What a thread made of one block of folders. */
export interface Block {
  index: number;
  csv: string;
  rows: number;
  unreadable: string[];
  /** Which columns hold texts. */
  texts: boolean[];
  /** Whether a folder had a column that was not in the sample. */
  isIncomplete: boolean;
}

/** Which folders are read, and what of their study no folder tells. */
interface Folders extends FolderFacts {
  studyDir: string;
  ids: string[];
}

/** What all threads know: the folders, and a counter of the blocks that are taken. */
export interface Work extends Folders {
  columns: Columns["list"];
  taken: Int32Array;
}

const SAMPLE = 50;
const BLOCK = 250;
/** Fewer folders than this are read before a thread would have started. */
const WORTH_THREADS = 2000;

/** Reads run folders, on all cores where there are many, and writes their rows in order. */
export async function collectFolders(
  folders: Folders,
  file: number,
): Promise<{ rows: number; unreadable: string[]; columns: string[]; textColumns: string[] }> {
  let columns = learnColumns({ ...folders, ids: folders.ids.slice(0, SAMPLE) });
  let blocks = await readAll(newWork(folders, columns));
  if (blocks.some(({ isIncomplete }) => isIncomplete)) {
    columns = learnColumns(folders);
    blocks = await readAll(newWork(folders, columns));
  }
  const sink = new ByteSink(file);
  sink.text(columns.header);
  for (const { csv } of blocks.sort((a, b) => a.index - b.index)) sink.text(csv);
  sink.flush();
  return {
    rows: blocks.reduce((sum, block) => sum + block.rows, 0),
    unreadable: blocks.flatMap((block) => block.unreadable),
    columns: columns.names,
    textColumns: columns.names.filter((_, i) => blocks.some(({ texts }) => texts[i])),
  };
}

function newWork(folders: Folders, columns: Columns): Work {
  return { ...folders, columns: columns.list, taken: new Int32Array(new SharedArrayBuffer(4)) };
}

function learnColumns({ studyDir, ids, ...facts }: Folders): Columns {
  const columns = new Columns();
  for (const id of ids) {
    const row = readFolder(runDir(studyDir, id), { studyDir, ...facts });
    if (row) columns.learn(row);
  }
  return columns;
}

/** Takes one block after the other until none is left: whoever is quicker does more. */
export function readBlocks({ studyDir, ids, columns: list, taken, ...facts }: Work): Block[] {
  const columns = Columns.from(list);
  const blocks: Block[] = [];
  for (let index = Atomics.add(taken, 0, 1); index * BLOCK < ids.length; index = Atomics.add(taken, 0, 1)) {
    const block: Block = { index, csv: "", rows: 0, unreadable: [], texts: [], isIncomplete: false };
    for (const id of ids.slice(index * BLOCK, (index + 1) * BLOCK)) {
      const row = readFolder(runDir(studyDir, id), { studyDir, ...facts });
      if (!row) block.unreadable.push(id);
      else if (columns.covers(row)) {
        block.csv += columns.line(row);
        block.rows++;
      } else block.isIncomplete = true;
    }
    block.texts = columns.texts;
    blocks.push(block);
  }
  return blocks;
}

async function readAll(work: Work): Promise<Block[]> {
  const threads = work.ids.length < WORTH_THREADS ? 1 : availableParallelism();
  const others = Array.from({ length: threads - 1 }, () => readInThread(work));
  return [...readBlocks(work), ...(await Promise.all(others)).flat()];
}

function readInThread(work: Work): Promise<Block[]> {
  const isSource = import.meta.url.endsWith(".ts");
  const entry = new URL(isSource ? "../../dist/collect-worker.js" : "./collect-worker.js", import.meta.url);
  return new Promise((resolve, reject) => {
    const worker = new Worker(fileURLToPath(entry), { workerData: work });
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}
