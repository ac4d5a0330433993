import { UserError } from "../core/errors.ts";
import { isPythonTarget, type TargetRef } from "../core/study.ts";
import { suggestion } from "../core/suggest.ts";
import { shippedTargets } from "./index.ts";
import type { Target } from "./target.ts";

/** The module behind a study's `target:`. Programs have none. */
export async function loadTarget(ref: Exclude<TargetRef, { kind: "command" }>): Promise<Target> {
  if (ref.kind === "shipped") {
    const load = Object.hasOwn(shippedTargets, ref.name) ? shippedTargets[ref.name] : undefined;
    if (!load) {
      throw new UserError(`there is no target "${ref.name}"`, {
        remedy:
          `${suggestion(ref.name, Object.keys(shippedTargets))} A file of your own starts with ./`.trim(),
      });
    }
    return load();
  }
  if (isPythonTarget(ref)) return (await import("./python/python-target.ts")).loadPythonTarget(ref);
  const { loadModule } = await import("./load-module.ts");
  const loaded = (await loadModule(ref.path, "target")) as Partial<Target> | undefined;
  if (typeof loaded?.run !== "function" || typeof loaded.params?.safeParse !== "function") {
    throw new UserError(`target file ${ref.path} exports no target`, {
      expected: "export default defineTarget({name, params, run})",
      got:
        loaded === undefined || loaded === null
          ? "no default export"
          : `keys ${Object.keys(loaded).join(", ") || "(none)"}`,
    });
  }
  return loaded as Target;
}
