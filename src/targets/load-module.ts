import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { errorText, UserError } from "../core/errors.ts";
import { nearest } from "../core/suggest.ts";
import { readNamed } from "../host/files.ts";

/** Loads a user's file, TypeScript as it is, and gives what it exports by default. */
export async function loadModule(path: string, kind: string): Promise<unknown> {
  if (!existsSync(path)) {
    const [near] = nearest(basename(path), filesBeside(path), 1);
    throw new UserError(`${kind} file ${path} does not exist`, {
      remedy: `${near === undefined ? "" : `Did you mean "${near}"? `}Paths are relative to the study file.`,
    });
  }
  // A pipe would block, and a device never end.
  if (!statSync(path).isDirectory()) readNamed(path);
  // Large, and only a user's own file needs it.
  const { createJiti } = await import("jiti");
  const jiti = createJiti(import.meta.url, {
    alias: {
      "assay/plugin": ownFile("plugin.js", "../plugin.ts"),
      "assay/stats": ownFile("stats.js", "../stats/index.ts"),
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

/** What users import of Assay by name, from the build or from the sources. */
function ownFile(built: string, source: string): string {
  const path = new URL(built, import.meta.url).pathname;
  return existsSync(path) ? path : new URL(source, import.meta.url).pathname;
}

function filesBeside(path: string): string[] {
  try {
    return readdirSync(dirname(path)).filter((name) => /\.[cm]?[jt]s$/.test(name));
  } catch {
    return [];
  }
}
