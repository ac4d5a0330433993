import { canonicalJson } from "../core/hash.ts";
import { hashOf, type Run } from "../core/run.ts";
import type { Study } from "../core/study.ts";
import { rolloutEntries } from "../dialects/rollouts-toml/rollouts-toml.ts";
import { parseSource } from "../dialects/source-file.ts";
import type { Plan } from "../plan/plan.ts";

interface Source {
  path: string;
  dialect: string;
  text: string;
}

/** The runs of a plan by their numbers: as the entries of the file stand, the rollouts of an entry together. */
export function numberRuns(plan: Plan, spec: Source, before: readonly string[] = []): Run[] {
  const place = placesOf(plan.study, spec);
  const kept = new Map(before.map((id, i) => [hashOf(id), i]));
  const numbered = [...plan.runs()].map((run) => ({
    run,
    // A run that had a number keeps it, whatever became of the file since.
    kept: kept.get(hashOf(run.id)) ?? Number.POSITIVE_INFINITY,
    entry: place(run),
  }));
  numbered.sort((a, b) => order(a.kept, b.kept) || order(a.entry, b.entry) || a.run.seed - b.run.seed);
  return numbered.map(({ run }) => run);
}

/** Infinity minus Infinity is no order. */
function order(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** The entry that asks for a run; those that no entry asks for stand behind, in the order of the plan. */
function placesOf(study: Study, { path, dialect, text }: Source): (run: Run) => number {
  if (dialect !== "rollouts-toml") return () => 0;
  const { names, rows, entries } = rolloutEntries(parseSource(path, text, { dir: "", callerDir: "" }));
  const key = (task: string | null, values: unknown[]) => `${task} ${canonicalJson(values)}`;
  const places = new Map<string, { last: number; place: number }[]>();
  for (const [place, { task, cell, first, count }] of entries.entries()) {
    const slot = key(task, rows[cell]!);
    places.set(slot, [...(places.get(slot) ?? []), { last: first + count - 1, place }]);
  }
  const isAxis = names.every((name) => study.axes.some((axis) => axis.names.includes(name)));
  return ({ task, params, seed }) => {
    const values = isAxis ? names.map((name) => params[name]) : [];
    const found = places.get(key(task, values))?.find(({ last }) => seed <= last);
    return found?.place ?? Number.POSITIVE_INFINITY;
  };
}
