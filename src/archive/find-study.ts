import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { UserError } from "../core/errors.ts";
import { suggestion } from "../core/suggest.ts";

const DEFAULT_ROOT = "bench_runs";

/** The folder of a study, from its path or from its name below the results' root. */
export function findStudy(named: string, root = DEFAULT_ROOT): string {
  for (const candidate of [named, join(root, named)]) {
    if (isStudy(candidate)) return resolve(candidate);
  }
  if (existsSync(named) && statSync(named).isDirectory()) {
    throw new UserError(`${named} holds no results`, {
      expected: "a study's folder, with journal.jsonl or runs/ in it",
      got: readdirSync(named).slice(0, 5).join(", ") || "an empty folder",
    });
  }
  const parent = named.includes("/") ? dirname(named) : root;
  const known = existsSync(parent) ? readdirSync(parent).filter((name) => isStudy(join(parent, name))) : [];
  throw new UserError(`there is no study "${named}" (looked for ${named} and ${join(root, named)})`, {
    remedy: known.length > 0 ? suggestion(basename(named), known) : "`assay run FILE` makes one.",
  });
}

/** All studies below a folder. */
export function listStudies(root = DEFAULT_ROOT): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .map((name) => resolve(root, name))
    .filter(isStudy);
}

export function isStudy(path: string): boolean {
  return (
    existsSync(join(path, "journal.jsonl")) ||
    existsSync(join(path, "study.json")) ||
    existsSync(join(path, "runs"))
  );
}
