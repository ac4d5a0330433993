import * as z from "zod";
import { UserError } from "../core/errors.ts";
import type { Params } from "../core/params.ts";
import { benchSpec } from "./bench-spec/bench-spec.ts";
import { checkShape, jsonValue, type Places, placesIn } from "./check-shape.ts";
import type { Declared, Dialect } from "./dialect.ts";
import { extendSource } from "./extend-source.ts";
import { matrixJson } from "./matrix-json.ts";
import { native } from "./native.ts";
import { rolloutsToml } from "./rollouts-toml/rollouts-toml.ts";
import { type Origin, parseSource, type SourceFile } from "./source-file.ts";
import { wandbSweep } from "./wandb-sweep/wandb-sweep.ts";

/** Asked in this order; the first that knows the file reads it. */
export const dialects: readonly Dialect[] = [matrixJson, benchSpec, wandbSweep, rolloutsToml, native];

/** A text, what its file is called in messages, and where that lies. */
export interface OpenedFile {
  path: string;
  text: string;
  origin: Origin;
}

/** Opens a file by the path that the user, or another file, names. */
export type OpenFile = (path: string, from?: SourceFile) => OpenedFile;

/** A study, and where its parts stand. */
export interface PlacedStudy extends Declared {
  places: Places;
}

/** The one study of a file, with what it extends. */
export function readStudy(path: string, open: OpenFile): { declared: PlacedStudy; dialect: string } {
  const { file, dialect } = parseFile(path, open);
  return { declared: placed({ study: dialect.parse(file), file }, dialect), dialect: dialect.name };
}

/** All studies of a file, mostly one. */
export function readStudies(path: string, open: OpenFile): { declared: PlacedStudy[]; dialect: string } {
  const { file, dialect } = parseFile(path, open);
  const declared = dialect.parseAll?.(file) ?? [{ study: dialect.parse(file), file }];
  return { declared: declared.map((one) => placed(one, dialect)), dialect: dialect.name };
}

/** A file that no dialect claims is read as a native one, whose errors say what a study needs. */
function parseFile(path: string, open: OpenFile): { file: SourceFile; dialect: Dialect } {
  const file = extendSource(parse(open(path)), (base, from) => parse(open(base, from)));
  return { file, dialect: dialects.find((candidate) => candidate.detects(file)) ?? native };
}

function parse({ path, text, origin }: OpenedFile): SourceFile {
  return parseSource(path, text, origin);
}

function placed(declared: Declared, dialect: Dialect): PlacedStudy {
  return { ...declared, places: placesIn(declared, dialect) };
}

const presetSchema = z.strictObject({ params: z.record(z.string().min(1), jsonValue) });

/** What a preset file has: `params:` and nothing else. */
export function presetParams(opened: OpenedFile): Params {
  const file = parse(opened);
  if (!("params" in file.data))
    throw new UserError(`${opened.path} is not a preset`, { expected: "a file with params:" });
  return checkShape(presetSchema, file).params;
}
