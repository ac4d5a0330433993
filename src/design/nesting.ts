import type { RunRecord } from "../core/run.ts";
import { ArmIndex } from "./arms.ts";
import { columnsOf } from "./column.ts";
import { ABSENT, type Factor, levelOf, type Shape } from "./factors.ts";

interface NestedQuestion {
  study: Shape | undefined;
  rest: readonly Factor[];
  own: readonly RunRecord[];
  all: readonly RunRecord[];
}

/**
 * An axis that only some arms have (`when: disc == 'rr'`) tells arms apart: it can't pair what lacks it. It stays out
 * where the baseline would then be several arms.
 */
export function withNested(book: ArmIndex, { study, rest, own, all }: NestedQuestion): ArmIndex {
  const nested = rest.filter(({ name, levels }) => levels.includes(ABSENT) && isNested(name, own, book));
  if (nested.length === 0) return book;
  const wide = new ArmIndex([...book.by, ...columnsOf(nested.map(({ name }) => name))], study, all);
  const declared = study?.analysis.baseline;
  return declared && book.withValues(declared) && !wide.withValues(declared) ? book : wide;
}

/** Whether some arms always lack it and others never do. */
function isNested(name: string, runs: readonly RunRecord[], book: ArmIndex): boolean {
  const seen = new Map<string, { has: boolean; lacks: boolean }>();
  for (const run of runs) {
    const arm = book.of(run).name;
    const state = seen.get(arm) ?? { has: false, lacks: false };
    if (levelOf(run, name) === ABSENT) state.lacks = true;
    else state.has = true;
    seen.set(arm, state);
  }
  const states = [...seen.values()];
  return states.some(({ has }) => !has) && states.some(({ lacks }) => !lacks);
}

/** Factors that vary within arms: those that arms share pair them, those that only some arms have are averaged. */
export function sortFactors(
  rest: readonly Factor[],
  runs: readonly RunRecord[],
  armOf: (run: RunRecord) => string,
): { blocks: string[]; averaged: string[] } {
  const blocks: string[] = [];
  const averaged: string[] = [];
  for (const { name } of rest) {
    const levels = new Map<string, Set<string>>();
    for (const run of runs) {
      const arm = armOf(run);
      const own = levels.get(arm) ?? new Set();
      levels.set(arm, own.add(levelOf(run, name)));
    }
    const sets = [...levels.values()];
    if (sets.every(({ size }) => size === 1)) continue;
    const isLacking = sets.some((own) => own.size === 1 && own.has(ABSENT));
    (isLacking && sets.some((own) => !own.has(ABSENT)) ? averaged : blocks).push(name);
  }
  return { blocks, averaged };
}
