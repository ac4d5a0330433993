import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { errorCode } from "../../core/errors.ts";
import { hashText } from "../../core/hash.ts";

/**
 * What a study is called in the queue: made once and kept in its folder, so that a coordinator finds its results. Where
 * several runners share a study, each has its own.
 */
export function studyId(studyDir: string, runner?: string): string {
  const id = ownId(studyDir);
  return runner === undefined ? id : hashText(`${id} ${runner}`).slice(0, 16);
}

function ownId(studyDir: string): string {
  const path = `${studyDir}/queue.json`;
  try {
    const { id } = JSON.parse(readFileSync(path, "utf8")) as { id: unknown };
    if (typeof id === "string" && /^[0-9a-f]{16}$/.test(id)) return id;
  } catch (error) {
    if (errorCode(error) !== "ENOENT" && !(error instanceof SyntaxError)) throw error;
  }
  const id = randomBytes(8).toString("hex");
  writeFileSync(path, `${JSON.stringify({ id })}\n`);
  return id;
}
