import { randomBytes } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import { hashText } from "../../core/hash.ts";
import { STUDY_FILES } from "../../core/study-folder.ts";
import { readJsonIfAny, replaceFile } from "../../host/files.ts";

/**
 * What a study is called in the queue: made once and kept in its folder, so that a coordinator finds its results. Where
 * several runners share a study, each has its own.
 */
export function studyId(studyDir: string, runner?: string): string {
  const id = ownId(studyDir);
  return runner === undefined ? id : hashText(`${id} ${runner}`).slice(0, 16);
}

/** What the file says, and which folder it said it of. */
interface Known {
  id: string;
  /** Undefined in files of earlier versions. */
  dir?: string;
  inode?: number;
}

/**
 * A copy of a study's folder is another study: with the same name in the queue, two coordinators would take each other's
 * results. A folder that was moved keeps its inode, one that was mounted anew its path, a copy neither.
 */
function ownId(studyDir: string): string {
  const path = `${studyDir}/${STUDY_FILES.queue}`;
  const here = { dir: realpathSync(studyDir), inode: statSync(studyDir).ino };
  const known = readKnown(path);
  const isOurs = known && (known.dir === undefined || known.dir === here.dir || known.inode === here.inode);
  const id = isOurs ? known.id : randomBytes(8).toString("hex");
  if (known?.id !== id || known.dir !== here.dir || known.inode !== here.inode)
    replaceFile(path, `${JSON.stringify({ id, ...here })}\n`);
  return id;
}

function readKnown(path: string): Known | undefined {
  const known = readJsonIfAny<Known>(path);
  return typeof known?.id === "string" && /^[0-9a-f]{16}$/.test(known.id) ? known : undefined;
}
