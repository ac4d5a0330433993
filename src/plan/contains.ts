import { canonicalJson } from "../core/hash.ts";
import { sameValue } from "../core/params.ts";
import type { Run } from "../core/run.ts";
import type { Study } from "../core/study.ts";
import { admitsPoint } from "./admits-point.ts";
import { Matrix } from "./cells.ts";
import { contentVersion, valuesVersion } from "./content-version.ts";

/**
 * Tells which runs are part of a study, without walking its matrix: a journal also holds runs of parameters
 * that the study had once, and those must not be averaged with what it has now.
 */
export function containsRun(study: Study): (run: Run) => boolean {
  const { axes, where } = new Matrix(study);
  const rows = axes.map((axis) => new Set(axis.rows.map(canonicalJson)));
  const seeds = new Set(study.seeds);
  const tasks = new Set<string | null>(study.tasks ?? [null]);
  const variants = new Map(study.variants.map((variant) => [variant.name, variant]));
  const isPoint = study.search && admitsPoint(study.search);
  const searched = new Set((study.search?.space ?? []).map(({ path }) => path[0]!));

  return (run) => {
    const variant = variants.get(run.variant);
    if (!variant || !sameValue(variant.flags, run.flags)) return false;
    if (!seeds.has(run.seed) || !tasks.has(run.task) || run.repeat >= study.repeats.measured) return false;
    const ofTask = run.task === null ? undefined : study.taskVersions?.[run.task];
    if (contentVersion(ofTask, valuesVersion(study, run.params)) !== run.taskVersion) return false;
    const expected = { ...study.params };
    for (const [i, { names, when }] of axes.entries()) {
      if (when && !when.holds(run.params)) continue;
      const row = names.map((name) => run.params[name] ?? null);
      if (!rows[i]!.has(canonicalJson(row))) return false;
      for (const [column, name] of names.entries()) expected[name] = row[column]!;
    }
    if (isPoint && !isPoint(run.params)) return false;
    for (const name of searched) if (run.params[name] !== undefined) expected[name] = run.params[name];
    if (!sameValue({ ...expected, ...variant.params }, run.params)) return false;
    const { seed, task, repeat } = run;
    return !where || where.holds({ ...run.params, variant: run.variant, seed, task, repeat });
  };
}
