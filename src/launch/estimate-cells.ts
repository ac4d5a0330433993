import { dirname } from "node:path";
import { checkParams } from "../targets/check-params.ts";
import type { PreparedStudy } from "./prepare-study.ts";

const MOST_CELLS = 12;

/** What a run of each cell will take, as far as its target can tell before it runs; none where it can't. */
export async function estimateCells({ study, target, plan, spec }: PreparedStudy): Promise<string[]> {
  if (!target?.estimate) return [];
  const place = { task: study.tasks?.[0] ?? null, baseDir: dirname(spec.path) };
  const lines: string[] = [];
  for (const { cell, weight } of plan.weighedCells()) {
    if (lines.length === MOST_CELLS) break;
    const told = await target.estimate(checkParams(target, cell.params), place);
    const names = Object.values(cell.coordinates).map(String);
    if (study.variants.length > 1) names.push(cell.variant.name);
    lines.push(`  ${names.join(" ") || study.name} (${weight}): ${told}`);
  }
  return lines;
}
