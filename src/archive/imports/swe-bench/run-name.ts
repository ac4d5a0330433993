import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { inFileNames, modelsPredicted } from "./predictions.ts";

export interface RunName {
  /** As the harness writes it in the names of files: `/` is `__`. */
  model: string;
  run: string;
}

/**
 * The report's file is called `<model>.<run>.json`, and both parts may hold dots. The logs or the predictions beside it
 * tell where the model's name ends; without them the last dot does.
 */
export function runNameOf(stem: string, dir: string): RunName {
  const models = [
    ...modelsPredicted(dir).map(inFileNames),
    ...modelsLogged(join(dir, "logs", "run_evaluation")),
  ];
  const model = models.filter((name) => stem.startsWith(`${name}.`)).sort((a, b) => b.length - a.length)[0];
  if (model !== undefined) return { model, run: stem.slice(model.length + 1) };
  const dot = stem.lastIndexOf(".");
  return dot < 0 ? { model: "", run: stem } : { model: stem.slice(0, dot), run: stem.slice(dot + 1) };
}

/** `logs/run_evaluation/<run>/<model>` */
function modelsLogged(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true })
    .filter((run) => run.isDirectory())
    .flatMap((run) => readdirSync(join(dir, run.name)));
}
