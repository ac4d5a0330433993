import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { errorCode, errorText } from "../../core/errors.ts";
import { Refusal } from "../envelope.ts";
import { safePath } from "../safe-path.ts";
import { listEntries, type Omitted, unreadable } from "./archive.ts";
import type { FileRoute, ParcelName } from "./file-route.ts";

/** Through a folder that all machines share: the worker copies there, the coordinator moves from there. */
export function folderRoute(folder: string): FileRoute {
  const place = ({ study, runId, nonce }: ParcelName) => safePath(folder, `${study}/${runId}.${nonce}`);
  return {
    async send(dir, name) {
      const target = place(name);
      const partial = `${target}.partial`;
      mkdirSync(partial, { recursive: true });
      const { sum, omitted } = await copyAndSum(dir, partial);
      renameSync(partial, target);
      return { parcel: { ...name, route: "folder", ...sum }, omitted };
    },

    async fetch(parcel, dir) {
      const source = place(parcel);
      if (!existsSync(source))
        throw new Refusal("content", `the files of ${parcel.runId} are not in the shared folder ${folder}`);
      const { sha256 } = await sumFolder(source);
      if (sha256 !== parcel.sha256)
        throw new Refusal("content", `the files of ${parcel.runId} have another checksum`);
      mkdirSync(dirname(dir), { recursive: true });
      try {
        renameSync(source, dir);
      } catch (error) {
        if (errorCode(error) !== "EXDEV") throw new Error(errorText(error));
        await cp(source, dir, { recursive: true });
      }
    },

    async discard(parcel) {
      rmSync(place(parcel), { recursive: true, force: true });
    },
  };
}

interface Sum {
  sha256: string;
  bytes: number;
}

/** Copies all files that can be read. The sum is of what was read here; what arrives is summed again. */
async function copyAndSum(dir: string, to: string): Promise<{ sum: Sum; omitted: Omitted[] }> {
  const { entries, omitted } = listEntries(dir);
  const files: Summed[] = [];
  for (const entry of entries) {
    const target = join(to, entry.path);
    mkdirSync(dirname(target), { recursive: true });
    const file = new FileSum(entry.path);
    let problem: unknown;
    await pipeline(async function* () {
      try {
        yield* file.read(join(dir, entry.path));
      } catch (error) {
        // Only what can't be read: what can't be written is the shared folder's fault, not this file's.
        problem = error;
      }
    }, createWriteStream(target));
    if (problem === undefined) files.push(file.end());
    else {
      rmSync(target);
      omitted.push({ ...entry, why: unreadable(problem) });
    }
  }
  return { sum: sumOf(files), omitted };
}

/** Stands for the names and contents of all files below a folder. */
export async function sumFolder(dir: string): Promise<Sum> {
  const files: Summed[] = [];
  for (const { path } of listEntries(dir).entries) {
    const file = new FileSum(path);
    for await (const _ of file.read(join(dir, path)));
    files.push(file.end());
  }
  return sumOf(files);
}

type Summed = Sum & { path: string };

/** One sum over the names and contents of all files. */
function sumOf(files: readonly Summed[]): Sum {
  const lines = files.map(({ path, sha256 }) => `${path}\0${sha256}\0`);
  return {
    sha256: createHash("sha256").update(lines.join("")).digest("hex"),
    bytes: files.reduce((total, { bytes }) => total + bytes, 0),
  };
}

/** Sums what it reads of one file. */
class FileSum {
  readonly #path: string;
  readonly #hash = createHash("sha256");
  #bytes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  async *read(from: string): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(from) as AsyncIterable<Buffer>) {
      this.#hash.update(chunk);
      this.#bytes += chunk.length;
      yield chunk;
    }
  }

  end(): Summed {
    return { path: this.#path, sha256: this.#hash.digest("hex"), bytes: this.#bytes };
  }
}
