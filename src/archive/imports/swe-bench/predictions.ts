import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readHead } from "../found-file.ts";

const HEAD_BYTES = 1 << 20;
/** Without escapes: names of models have none. */
const NAME = /"model_name_or_path"\s*:\s*"([^"\\]+)"/g;

/** Names of the models whose predictions lie in a folder: preds.json, all_preds.jsonl, predictions.jsonl, ... */
export function modelsPredicted(dir: string): string[] {
  const files = readdirSync(dir).filter((name) => /pred.*\.jsonl?$/i.test(name));
  const names = files.flatMap((name) =>
    [...readHead(join(dir, name), HEAD_BYTES).matchAll(NAME)].map(([, model]) => model!),
  );
  return [...new Set(names)];
}

/** How the harness writes a model's name in the names of its files. */
export function inFileNames(model: string): string {
  return model.replaceAll("/", "__");
}
