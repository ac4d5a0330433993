import { resolve } from "node:path";
import { UserError } from "../../../core/errors.ts";
import { suggestion } from "../../../core/suggest.ts";
import { strategies } from "./index.ts";
import type { Strategy } from "./strategy.ts";

/** One that ships, by its name, or a user's own file. */
export async function loadStrategy(name: string, baseDir: string): Promise<Strategy> {
  if (Object.hasOwn(strategies, name)) return strategies[name]!;
  if (!/^\.{0,2}\//.test(name)) {
    throw new UserError(`there is no strategy "${name}"`, {
      remedy: `${suggestion(name, Object.keys(strategies))} A file of your own starts with ./`.trim(),
    });
  }
  const { loadModule } = await import("../../load-module.ts");
  const path = resolve(baseDir, name);
  const loaded = (await loadModule(path, "strategy")) as Partial<Strategy> | undefined;
  if (typeof loaded?.view === "function" && typeof loaded.options === "function") return loaded as Strategy;
  throw new UserError(`strategy file ${path} exports no strategy`, {
    expected: "export default defineStrategy({name, description, options, view})",
    got: loaded ? `keys ${Object.keys(loaded).join(", ") || "(none)"}` : "no default export",
  });
}
