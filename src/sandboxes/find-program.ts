import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { MissingProgramError } from "./sandbox.ts";

interface Search {
  cwd: string;
  path: string;
  /** Whether a sandbox shows a file; all of them where absent. */
  isVisible?(path: string): boolean;
}

/** Refuses a program that is not there, or that the sandbox hides: whoever asks for it is wrong, not the program. */
export function checkProgram(name: string, { cwd, path, isVisible = () => true }: Search): void {
  const candidates = name.includes("/")
    ? [resolve(cwd, name)]
    : path.split(":").map((folder) => join(resolve(cwd, folder), name));
  const found = candidates.filter(isProgram);
  if (found.some(isVisible)) return;
  if (found.length === 0) throw new MissingProgramError(`the program ${name} was not found`);
  throw new MissingProgramError(
    `the program ${name} is at ${realpathSync(found[0]!)}, which the sandbox hides. Name its folder in SANDBOX_READABLE.`,
  );
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
