import { lstatSync } from "node:fs";
import { basename, join, posix } from "node:path";
import { scanTree } from "../../workspace/scan-tree.ts";
import type { Instruction } from "./parse.ts";

/** Where a COPY puts which files of the folder that the image is built from. */
export interface Copied {
  /** Files of the disk by their whole path in the image. */
  files: Record<string, string>;
  /** Why some are not there. */
  problems: string[];
}

/** What COPY and ADD do where that is simple: plain files and folders, a star in the last part of a name. */
export function copiedFiles(
  { name, words, flags }: Instruction,
  { context, workDir, isLeftOut }: { context: string; workDir: string; isLeftOut: (path: string) => boolean },
): Copied {
  const copied: Copied = { files: {}, problems: [] };
  const [target, ...sources] = [...words].reverse();
  const shown = `${name} ${words.join(" ")}`;
  const isOdd =
    flags.some((flag) => flag.startsWith("--from")) || words.some((word) => /\$|^<<|:\/\//.test(word));
  if (target === undefined || sources.length === 0 || isOdd) return { files: {}, problems: [shown] };
  const tree = scanTree(context);
  const paths = tree.entries
    .filter(({ kind, path }) => kind === "file" && !isLeftOut(path))
    .map(({ path }) => path);
  const to = posix.resolve(workDir, target);
  const found = sources.flatMap((source) =>
    matches(posix.normalize(source).replace(/^\/+|\/+$/g, ""), [...paths, ...tree.folders]),
  );
  const isFolder = target.endsWith("/") || target === "." || found.length > 1 || to === workDir;
  if (found.length === 0) copied.problems.push(shown);
  for (const source of found) {
    const isFile = source !== "." && lstatSync(join(context, source)).isFile();
    if (isFile) copied.files[isFolder ? posix.join(to, basename(source)) : to] = join(context, source);
    const prefix = source === "." ? "" : `${source}/`;
    if (!isFile)
      for (const path of paths.filter((path) => path.startsWith(prefix)))
        copied.files[posix.join(to, path.slice(prefix.length))] = join(context, path);
  }
  return copied;
}

function matches(source: string, paths: string[]): string[] {
  if (source === "" || source === ".") return ["."];
  if (!/[*?[]/.test(source)) return paths.includes(source) ? [source] : [];
  if (source.includes("[")) return [];
  const pattern = source
    .replaceAll(/[.+^${}()|\\]/g, "\\$&")
    .replaceAll("*", "[^/]*")
    .replaceAll("?", "[^/]");
  return paths.filter((path) => new RegExp(`^${pattern}$`).test(path));
}
