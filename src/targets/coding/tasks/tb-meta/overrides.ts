import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { suggestion } from "../../../../core/suggest.ts";
import { checkTask, parseText, readText } from "../read-file.ts";
import type { ReadOptions } from "../task.ts";
import { type Overrides, overridesSchema } from "./schema.ts";

/** What overrides a task, and the file that says so, for messages. */
export interface NamedOverrides {
  overrides: Overrides;
  file: string;
  warnings: string[];
}

const OWN = "overrides.json";

export function readOverrides(dir: string, { applyOverrides, overrides }: ReadOptions): NamedOverrides {
  const own = join(dir, OWN);
  const file = overrides === null ? own : overridesFile(dir, overrides);
  if (!applyOverrides || (overrides === null && !existsSync(own)))
    return { overrides: {}, file, warnings: [] };
  const text = readText(dirname(file), basename(file), "overrides of the task");
  const data = parseText(text, file, JSON.parse);
  const checked = checkTask(overridesSchema, data, file);
  const known = Object.keys(overridesSchema.shape);
  const unknown = Object.keys(checked).filter((key) => !known.includes(key));
  const warnings = unknown.map(
    (key) => `${file} has "${key}", which means nothing here. ${suggestion(key, known)}`,
  );
  return { overrides: checked, file, warnings };
}

/** The file of overrides that a study names: relative to where the command is called, or to the task. */
export function overridesFile(dir: string, named: string): string {
  const here = resolve(named);
  return existsSync(here) ? here : resolve(dir, named);
}
