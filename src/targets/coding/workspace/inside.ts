import { lstatSync } from "node:fs";
import { join } from "node:path";

/** Why a path can't be one of a file in a repository; undefined where it can. */
export function pathProblem(path: string): string | undefined {
  if (path.trim() === "" || path.includes("\0")) return "is no path";
  if (path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path)) return "is absolute";
  const parts = path.split("/");
  if (parts.includes("..")) return "leads out of the repository";
  if (parts.some((part) => part.toLowerCase() === ".git")) return "leads into .git";
  if (parts.every((part) => part === "" || part === ".")) return "is the repository itself";
  return undefined;
}

/** Without `.` and doubled slashes; only for paths that have no problem. */
export function plainPath(path: string): string {
  return path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
}

/** The folder on the way to a path that is a link, or the file itself if it is one: following it may lead anywhere. */
export function linkOnTheWay(root: string, path: string): string | undefined {
  const parts = path.split("/");
  for (let count = 1; count <= parts.length; count++) {
    const part = parts.slice(0, count).join("/");
    if (lstatSync(join(root, part), { throwIfNoEntry: false })?.isSymbolicLink()) return part;
  }
  return undefined;
}
