import { dirname } from "node:path";
import { nameOf } from "../core/params.ts";
import { checkParams } from "../targets/check-params.ts";
import type { PreparedStudy } from "./prepare-study.ts";

const MOST_CELLS = 12;

/** What a run of each cell will take, as far as its target can tell before it runs; none where it can't. */
export async function estimateCells({ study, target, plan, spec }: PreparedStudy): Promise<string[]> {
  if (!target?.estimate) return [];
  const place = { task: study.tasks?.[0] ?? null, baseDir: dirname(spec.path) };
  const cells: { name: string; told: string }[] = [];
  let isWhole = true;
  for (const { cell, weight } of plan.weighedCells()) {
    isWhole = cells.length < MOST_CELLS;
    if (!isWhole) break;
    const told = await target.estimate(checkParams(target, cell.params), place);
    const names = Object.values(cell.coordinates).map(nameOf);
    if (study.variants.length > 1) names.push(cell.variant.name);
    cells.push({ name: `${names.join(" ") || study.name} (${weight})`, told });
  }
  const [first, ...others] = cells;
  if (isWhole && others.length > 0 && others.every(({ told }) => told === first!.told))
    return [`  each run: ${first!.told}`];
  return cells.map(({ name, told }) => `  ${name}: ${told}`);
}
