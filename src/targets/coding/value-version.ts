import { statSync } from "node:fs";
import { shortHash } from "../../core/hash.ts";
import { namedFile } from "./agents/named-file.ts";
import { findNear } from "./find-near.ts";
import { hashTree } from "./tasks/hash-tree.ts";

/** The content of an agent's scripts, of the files that its command names, and of overrides. */
export function versionOfValue(param: string, value: unknown, baseDir: string): string | undefined {
  const files = filesOf(param, value, baseDir);
  return files.length === 0 ? undefined : shortHash(files.map((file) => hashTree(file)).join());
}

function filesOf(param: string, value: unknown, baseDir: string): string[] {
  if (param === "overrides") return typeof value === "string" ? overridesOf(value, baseDir) : [];
  if (param !== "agent" || typeof value !== "object" || value === null) return [];
  const words = Array.isArray(value) ? value : (value as { command?: unknown }).command;
  if (!Array.isArray(words)) return [];
  return words.flat().flatMap((word) => (typeof word === "string" ? (namedFile(word, baseDir) ?? []) : []));
}

/** One in the task's own folder counts as a part of the task. */
function overridesOf(path: string, baseDir: string): string[] {
  const found = path === "" ? undefined : findNear(path, baseDir);
  return found !== undefined && statSync(found).isFile() ? [found] : [];
}
