import type { DeclaredStudy } from "../core/study.ts";
import { benchSpec } from "./bench-spec/bench-spec.ts";
import type { Declared, Dialect } from "./dialect.ts";
import { matrixJson } from "./matrix-json.ts";
import { native } from "./native.ts";
import { rolloutsToml } from "./rollouts-toml/rollouts-toml.ts";
import type { SourceFile } from "./source-file.ts";
import { wandbSweep } from "./wandb-sweep/wandb-sweep.ts";

/** Asked in this order; the first that knows the file reads it. */
export const dialects: readonly Dialect[] = [matrixJson, benchSpec, wandbSweep, rolloutsToml, native];

/** A file that no dialect claims is read as a native one, whose errors say what a study needs. */
export function readStudy(file: SourceFile): { study: DeclaredStudy; dialect: Dialect } {
  const dialect = dialectOf(file);
  return { study: dialect.parse(file), dialect };
}

/** All studies of a file, mostly one. */
export function readStudies(file: SourceFile): { declared: Declared[]; dialect: Dialect } {
  const dialect = dialectOf(file);
  return { declared: dialect.parseAll?.(file) ?? [{ study: dialect.parse(file), file }], dialect };
}

function dialectOf(file: SourceFile): Dialect {
  return dialects.find((candidate) => candidate.detects(file)) ?? native;
}
