import { existsSync } from "node:fs";
import { createJiti } from "jiti";
import { errorText, UserError } from "../core/errors.ts";

/** Loads a user's file, TypeScript as it is, and gives what it exports by default. */
export async function loadModule(path: string, kind: string): Promise<unknown> {
  if (!existsSync(path)) {
    throw new UserError(`${kind} file ${path} does not exist`, {
      remedy: "Paths are relative to the study file.",
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
    throw new UserError(`${kind} file ${path} failed to load: ${errorText(error)}`, {
      remedy: "Mend that file; the rest of the study is not affected.",
    });
  }
  return loaded;
}
