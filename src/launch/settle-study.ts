import { dirname } from "node:path";
import type { DeclaredStudy, Matrix, Study } from "../core/study.ts";
import type { Warning } from "../core/warning.ts";
import { missingScript } from "../targets/command/missing-script.ts";
import { loadTarget } from "../targets/load-target.ts";
import type { Target } from "../targets/target.ts";
import { findTarget } from "./find-target.ts";
import type { LoadedStudy } from "./load-study.ts";
import { settleLists } from "./settle-lists.ts";
import { settleNames } from "./settle-names.ts";
import { findVersions, settleTasks } from "./settle-tasks.ts";

export interface SettledStudy {
  study: Study;
  /** Undefined for a program. */
  target: Target | undefined;
}

/** Answers what a study's file leaves open: which target a name means, what lists and names mean to it, which tasks. */
export async function settleStudy({ study: declared, places, spec }: LoadedStudy): Promise<SettledStudy> {
  const baseDir = dirname(spec.path);
  const ref = findTarget(declared.target, baseDir, places.target());
  const target = ref.kind === "command" ? undefined : await loadTarget(ref);
  const { open: _, ...stated } = declared;
  const { params, axes } = settleLists(declared, target, places);
  const { search, warnings: renamed = [] } = searchOf(declared, target);
  const tasks = settleTasks({ ...declared, params }, { target, baseDir, places });
  const matrix: Matrix = { ...stated, params, axes, ...(search && { search }), ...(tasks && { tasks }) };
  const missing = ref.kind === "command" ? missingScript(ref) : undefined;
  const warnings = [...(declared.warnings ?? []), ...renamed, ...(missing ? [missing] : [])];
  return {
    target,
    study: {
      ...{ ...stated, ...matrix, target: ref, ...findVersions(matrix, { target, baseDir }) },
      ...(warnings.length > 0 && { warnings }),
    },
  };
}

function searchOf(
  { search, open, params }: DeclaredStudy,
  target: Target | undefined,
): { search?: Study["search"]; warnings?: Warning[] } {
  if (!search || !open?.names) return { search };
  return settleNames(search, target?.sweeps ?? {}, params);
}
