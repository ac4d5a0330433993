import * as z from "zod";
import { UserError } from "../core/errors.ts";
import type { Params } from "../core/params.ts";
import { checkShape } from "../dialects/check-shape.ts";
import { jsonValue } from "../dialects/json-value.ts";
import { readSource } from "./load-study.ts";

const presetSchema = z.strictObject({ params: z.record(z.string().min(1), jsonValue) });

/** The parameters of a preset file: `params:` and nothing else, so that it can't change what a study asks. */
export function readPreset(path: string): Params {
  const file = readSource(path, "preset file");
  if (!("params" in file.data))
    throw new UserError(`${path} is no preset`, { expected: "a file with params:" });
  return checkShape(presetSchema, file).params;
}
