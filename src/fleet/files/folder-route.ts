import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { copyFile, cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode, errorText } from "../../core/errors.ts";
import { Refusal } from "../envelope.ts";
import { safePath } from "../safe-path.ts";
import { listEntries } from "./archive.ts";
import type { FileRoute, ParcelName } from "./file-route.ts";

/** Through a folder that all machines share: the worker copies there, the coordinator moves from there. */
export function folderRoute(folder: string): FileRoute {
  const place = ({ study, runId, nonce }: ParcelName) => safePath(folder, `${study}/${runId}.${nonce}`);
  return {
    async send(dir, name) {
      const target = place(name);
      const partial = `${target}.partial`;
      const entries = listEntries(dir);
      mkdirSync(partial, { recursive: true });
      for (const { path } of entries) {
        mkdirSync(dirname(join(partial, path)), { recursive: true });
        await copyFile(join(dir, path), join(partial, path));
      }
      // The sums are of what was read here; what arrives is summed again.
      const parcel = { ...name, route: "folder" as const, ...(await sumOf(dir)) };
      renameSync(partial, target);
      return { parcel, omitted: [] };
    },

    async fetch(parcel, dir) {
      const source = place(parcel);
      if (!existsSync(source))
        throw new Refusal("content", `the files of ${parcel.runId} are not in the shared folder ${folder}`);
      const { sha256 } = await sumOf(source);
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

/** One sum over the names and contents of all files. */
async function sumOf(dir: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for (const entry of listEntries(dir)) {
    hash.update(`${entry.path}\0${entry.bytes}\0`);
    for await (const chunk of createReadStream(join(dir, entry.path))) hash.update(chunk as Buffer);
    bytes += entry.bytes;
  }
  return { sha256: hash.digest("hex"), bytes };
}
