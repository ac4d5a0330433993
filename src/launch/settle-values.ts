import { dirname } from "node:path";
import { canonicalJson } from "../core/hash.ts";
import type { Study } from "../core/study.ts";
import { loadTarget } from "../targets/load-target.ts";
import type { LoadedStudy } from "./load-study.ts";
import { valuesOfParam } from "./values-of-param.ts";

/** Asks the target for the state of the files that values of parameters name. */
export async function settleValues({ study, spec }: LoadedStudy): Promise<void> {
  const target = study.target.kind === "command" ? undefined : await loadTarget(study.target);
  if (!target?.valueVersion) return;
  const baseDir = dirname(spec.path);
  const versions: NonNullable<Study["valueVersions"]> = {};
  for (const param of namesIn(study)) {
    for (const value of valuesOfParam(study, param)) {
      const version = target.valueVersion(param, value, baseDir);
      if (version !== undefined) versions[param] = { ...versions[param], [canonicalJson(value)]: version };
    }
  }
  if (Object.keys(versions).length > 0) study.valueVersions = versions;
}

function namesIn({ params, variants, axes }: Study): Set<string> {
  return new Set([
    ...Object.keys(params),
    ...variants.flatMap((variant) => Object.keys(variant.params)),
    ...axes.flatMap(({ names }) => names),
  ]);
}
