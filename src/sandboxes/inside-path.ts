import { join, relative, sep } from "node:path";
import type { SandboxedProgram } from "./sandbox.ts";

/** Where the program sees a path of the machine. */
export function insidePath(path: string, { writable, readable }: SandboxedProgram): string {
  const mount = [...writable, ...readable]
    .filter((mount) => isBelow(path, mount.path))
    .sort((a, b) => b.path.length - a.path.length)[0];
  return mount?.as === undefined ? path : join(mount.as, relative(mount.path, path));
}

/** Whether a path is a folder's own or below it, by its words alone. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
