import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { UserError } from "../core/errors.ts";
import { isStamp, STUDY_FILES } from "../core/study-folder.ts";
import { suggestion } from "../core/suggest.ts";

/** Where studies are looked for: the second one has those whose launches are kept apart. */
const DEFAULT_ROOTS = ["bench_runs", "data/rollouts"];

/** The folder of a study, from its path or from its name below the results' root; of several launches the newest. */
export function findStudy(named: string, root?: string): string {
  const places = rootsOf(root).map((folder) => join(folder, named));
  for (const candidate of [named, ...places]) {
    const found = isStudy(candidate) ? resolve(candidate) : namedLaunch(candidate);
    if (found !== undefined) return found;
  }
  if (existsSync(named) && statSync(named).isDirectory()) {
    throw new UserError(`${named} holds no results`, {
      expected: "a study's folder, with journal.jsonl or runs/ in it",
      got: readdirSync(named).slice(0, 5).join(", ") || "an empty folder",
    });
  }
  throw new UserError(`there is no study "${named}" (looked for ${[named, places[0]].join(" and ")})`, {
    remedy: nearOnes(named, root),
  });
}

/** `NAME` and `NAME/latest` are the newest launch of a study, `NAME/previous` is the one before. */
function namedLaunch(path: string): string | undefined {
  const word = basename(path);
  if (word !== "latest" && word !== "previous") return launchesOf(path).at(-1);
  return launchesOf(dirname(path)).at(word === "latest" ? -1 : -2);
}

/** All studies below a folder, each with its newest launch. */
export function listStudies(root?: string): string[] {
  return rootsOf(root).flatMap((folder) =>
    namesIn(folder).flatMap((name) => {
      const dir = resolve(folder, name);
      return isStudy(dir) ? [dir] : launchesOf(dir).slice(-1);
    }),
  );
}

/** The launches of a study whose launches are kept apart, oldest first; none for any other folder. */
export function launchesOf(dir: string): string[] {
  return namesIn(dir)
    .filter(isStamp)
    .sort()
    .map((stamp) => resolve(dir, stamp))
    .filter(isStudy);
}

export function isStudy(path: string): boolean {
  return (
    existsSync(join(path, STUDY_FILES.journal)) ||
    existsSync(join(path, STUDY_FILES.study)) ||
    // Beside data/rollouts, data/runs has links to the runs of all launches.
    (existsSync(join(path, STUDY_FILES.runs)) && !existsSync(join(path, "rollouts")))
  );
}

function nearOnes(named: string, root: string | undefined): string {
  const parents = named.includes("/")
    ? [dirname(named), ...rootsOf(root).map((folder) => join(folder, dirname(named)))]
    : rootsOf(root);
  const known = parents.flatMap((parent) =>
    namesIn(parent).filter((name) => {
      const dir = join(parent, name);
      return isStudy(dir) || launchesOf(dir).length > 0;
    }),
  );
  return known.length > 0 ? suggestion(basename(named), known) : "`assay run FILE` makes one.";
}

function rootsOf(root: string | undefined): string[] {
  return root === undefined ? DEFAULT_ROOTS : [root];
}

function namesIn(dir: string): string[] {
  return existsSync(dir) && statSync(dir).isDirectory() ? readdirSync(dir) : [];
}
