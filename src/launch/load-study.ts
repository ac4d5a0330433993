import { readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { errorCode, errorText, UserError } from "../core/errors.ts";
import { hashText } from "../core/hash.ts";
import type { Params } from "../core/params.ts";
import type { Study } from "../core/study.ts";
import type { Declared, Dialect } from "../dialects/dialect.ts";
import { extendSource } from "../dialects/extend.ts";
import { readStudies, readStudy } from "../dialects/index.ts";
import { parseSource, type SourceFile } from "../dialects/source-file.ts";
import type { LaunchChoice } from "./place-launch.ts";
import { findSpec } from "./shipped-spec.ts";

/** Changes to a study from outside its file. */
export interface Overrides {
  params?: Params;
  seeds?: number[];
  /** This time, only the runs for which this condition holds; the study stays what it is. */
  only?: string;
  name?: string;
  outRoot?: string;
  jobs?: number;
  executor?: string;
  costUsd?: number;
  /** Where every launch is kept apart: which one is meant. */
  launch?: LaunchChoice;
}

export interface LoadedStudy {
  study: Study;
  only: string | undefined;
  launch?: LaunchChoice;
  /** Where in the files a value stands. */
  locate: SourceFile["locate"];
  spec: { path: string; dialect: string; hash: string; text: string };
}

/** Reads a study file, what it extends, and applies overrides. */
export function loadStudy(named: string, overrides: Overrides = {}): LoadedStudy {
  const path = findSpec(named);
  const source = readExtended(path);
  const { study, dialect } = readStudy(source);
  return loaded({ study, file: source }, { path, dialect, overrides });
}

/** As loadStudy, for a file that may declare several studies. */
export function loadStudies(named: string, overrides: Overrides = {}): LoadedStudy[] {
  const path = findSpec(named);
  const { declared, dialect } = readStudies(readExtended(path));
  if (declared.length > 1 && overrides.name !== undefined)
    throw new UserError("--exp-name", { expected: "a file with one study", got: `${declared.length}` });
  return declared.map((one) => loaded(one, { path, dialect, overrides }));
}

function readExtended(path: string): SourceFile {
  return extendSource(readSource(path), (base, from) => readSource(resolve(from.dir, base)));
}

function loaded(
  { study, file }: Declared,
  { path, dialect, overrides }: { path: string; dialect: Dialect; overrides: Overrides },
): LoadedStudy {
  applyOverrides(study, overrides);
  const { text } = file;
  return {
    study,
    only: overrides.only,
    ...(overrides.launch && { launch: overrides.launch }),
    locate: file.locate,
    spec: { path: resolve(path), dialect: dialect.name, hash: hashText(text), text },
  };
}

/** A YAML, TOML or JSON file; `kind` is what it is called in messages. */
export function readSource(path: string, kind = "study file"): SourceFile {
  const full = resolve(path);
  const shown =
    isAbsolute(path) && !relative(process.cwd(), full).startsWith("..")
      ? relative(process.cwd(), full)
      : path;
  let text: string;
  try {
    if (statSync(full).isDirectory())
      throw new UserError(`${shown} is a folder, not a ${kind}`, { remedy: `Try ${shown}/study.yaml.` });
    text = readFileSync(full, "utf8");
  } catch (error) {
    if (errorCode(error) !== "ENOENT")
      throw error instanceof UserError ? error : new UserError(`${shown} can't be read: ${errorText(error)}`);
    throw new UserError(`the ${kind} ${shown} does not exist`, {
      remedy: kind === "study file" ? "`assay init` writes a first one." : "",
    });
  }
  return parseSource(shown, text, { dir: dirname(full), callerDir: process.cwd() });
}

function applyOverrides(study: Study, overrides: Overrides): void {
  for (const [name, value] of Object.entries(overrides.params ?? {})) {
    // A parameter given from outside takes one value, also where the file has several.
    study.axes = study.axes.flatMap((axis) => {
      const column = axis.names.indexOf(name);
      if (column < 0) return [axis];
      if (axis.names.length > 1) {
        throw new UserError(
          `-p ${name}: ${axis.names.join(" and ")} move together (zip), so one of them can't be set alone`,
          {
            remedy: `Use --only "${name} == ..." instead.`,
          },
        );
      }
      return [];
    });
    if (study.variants.some((variant) => name in variant.params)) {
      throw new UserError(`-p ${name}: variants set it`, {
        remedy: 'Use --only "variant == ..." to choose variants.',
      });
    }
    const searched = study.search?.space.find((parameter) => parameter.name === name);
    if (searched) {
      searched.distribution = { kind: "constant", value };
      delete searched.default;
    } else study.params = { ...study.params, [name]: value };
  }
  if (overrides.seeds) study.seeds = overrides.seeds;
  if (overrides.name !== undefined) study.name = overrides.name;
  if (overrides.outRoot !== undefined) study.outRoot = overrides.outRoot;
  if (overrides.jobs !== undefined) study.executor = { ...study.executor, jobs: overrides.jobs };
  if (overrides.executor !== undefined) study.executor = { ...study.executor, kind: overrides.executor };
  if (overrides.costUsd !== undefined) study.limits = { ...study.limits, costUsd: overrides.costUsd };
  if (study.name.includes("/") || study.name.startsWith(".") || study.name === "") {
    throw new UserError(`the study's name "${study.name}" can't be a folder`, {
      expected: "a name without slashes",
    });
  }
}
