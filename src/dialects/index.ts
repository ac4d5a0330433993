import type { Study } from "../core/study.ts";
import type { Dialect } from "./dialect.ts";
import { matrixJson } from "./matrix-json.ts";
import { native } from "./native.ts";
import type { SourceFile } from "./source-file.ts";

/** Asked in this order; the first that knows the file reads it. */
export const dialects: readonly Dialect[] = [matrixJson, native];

/** A file that no dialect claims is read as a native one, whose errors say what a study needs. */
export function readStudy(file: SourceFile): { study: Study; dialect: Dialect } {
  const dialect = dialects.find((candidate) => candidate.detects(file)) ?? native;
  return { study: dialect.parse(file), dialect };
}
