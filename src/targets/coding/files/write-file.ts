import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { replaceFile } from "../../../host/files.ts";

/** Replaces a file whole. A rollout has a dozen of them: to wait for the disk at each would show. */
export function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  replaceFile(path, text, { isDurable: false });
}

export function writeJson(path: string, value: unknown): void {
  writeWhole(path, `${JSON.stringify(value, null, 2)}\n`);
}
