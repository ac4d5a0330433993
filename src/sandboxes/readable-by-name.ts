import { existsSync } from "node:fs";
import { delimiter, isAbsolute } from "node:path";
import type { Mount } from "./sandbox.ts";

/** Folders that the user lets every sandbox show, read-only: those in SANDBOX_READABLE, such as ~/.pyenv. */
export function readableByName(): Mount[] {
  return (process.env.SANDBOX_READABLE ?? "")
    .split(delimiter)
    .filter((path) => isAbsolute(path) && existsSync(path))
    .map((path) => ({ path }));
}
