import type { FileRef } from "../core/study.ts";

/** Whether a name is a file of the user's, not the name of something that ships. */
export function isFileName(name: string): boolean {
  return name.startsWith(".") || name.startsWith("/") || /\.([cm]?[jt]s|py(:\w+)?)$/.test(name);
}

/** A user's file as a target: `./target.ts`, `./bench.py` or, of several benchmarks in it, `./bench.py:SortBenchmark`. */
export function targetFile(dir: string, name: string): FileRef {
  const [, path, member] = /^(.*\.py):(\w+)$/.exec(name) ?? [undefined, name];
  return { kind: "file", path: below(dir, path!), ...(member !== undefined && { member }) };
}

/** A path in a study file, seen from the root. */
export function below(dir: string, path: string): string {
  return path.startsWith("/") ? path : `${dir}/${path.replace(/^(\.\/)+/, "")}`;
}

/** A folder as an author names it, without detours, wherever the file itself lies; "" is the file's own folder. */
export function folderName(dir: string, path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  if (!path.startsWith("/")) return parts.join("/");
  const full = `/${parts.join("/")}`;
  return full === dir || full.startsWith(`${dir}/`) ? full.slice(dir.length + 1) : full;
}

/** The full path of a user's file; any other name as it is. */
export function fileOrName(dir: string, name: string): string {
  return isFileName(name) ? below(dir, name) : name;
}
