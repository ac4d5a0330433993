import { existsSync, readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { createJiti } from "jiti";
import { errorText, UserError } from "../core/errors.ts";
import { nearest } from "../core/suggest.ts";

/** Loads a user's file, TypeScript as it is, and gives what it exports by default. */
export async function loadModule(path: string, kind: string): Promise<unknown> {
  if (!existsSync(path)) {
    const [near] = nearest(basename(path), filesBeside(path), 1);
    throw new UserError(`${kind} file ${path} does not exist`, {
      remedy: `${near === undefined ? "" : `Did you mean "${near}"? `}Paths are relative to the study file.`,
    });
  }
  const plugin = new URL("./plugin.js", import.meta.url).pathname;
  const jiti = createJiti(import.meta.url, {
    alias: {
      "assay/plugin": existsSync(plugin) ? plugin : new URL("../plugin.ts", import.meta.url).pathname,
    },
    interopDefault: true,
  });
  let loaded: unknown;
  try {
    loaded = await jiti.import(path, { default: true });
  } catch (error) {
    throw new UserError(
      `${kind} file ${path} failed to load: ${errorText(error).replaceAll(/\s*\n\s*/g, " ")}`,
      {
        remedy: "Mend that file; the rest of the study is not affected.",
      },
    );
  }
  return loaded;
}

function filesBeside(path: string): string[] {
  try {
    return readdirSync(dirname(path)).filter((name) => /\.[cm]?[jt]s$/.test(name));
  } catch {
    return [];
  }
}
