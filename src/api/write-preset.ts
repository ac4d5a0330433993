import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { errorText, UserError } from "../core/errors.ts";
import type { Params } from "../core/params.ts";
import { makeFolders } from "../host/files.ts";

const FIRST_WORDS = "# Written by `assay recommend";

/** Complains before any work is done for it; a preset of before is replaced, another file is not. */
export function checkPresetPath(path: string): void {
  if (!/\.(ya?ml|json)$/.test(path))
    throw new UserError(`--out ${path}`, { expected: "a name that ends in .yaml or .json" });
  if (existsSync(path) && path.endsWith("ml") && !readFileSync(path, "utf8").startsWith(FIRST_WORDS))
    throw new UserError(`${path} exists, and is not a preset of \`assay recommend\``, {
      remedy: "Name another file with --out.",
    });
}

/** A file with parameters that `assay run --preset FILE` takes, and `extends:` too. JSON has no room for remarks. */
export function writePreset(path: string, params: Params, { title, remarks }: Remarks): void {
  const lines = [
    `${FIRST_WORDS} ${title}`,
    ...remarks.map((line) => `# ${line.replaceAll(/\s+/g, " ")}`),
    "params:",
    ...Object.entries(params).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`),
  ];
  const text = path.endsWith(".json") ? JSON.stringify({ params }, null, 2) : lines.join("\n");
  try {
    makeFolders(dirname(path));
    writeFileSync(path, `${text}\n`);
  } catch (error) {
    throw new UserError(`${path} can't be written (${errorText(error)})`);
  }
}

interface Remarks {
  title: string;
  remarks: string[];
}
