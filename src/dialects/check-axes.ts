import { UserError } from "../core/errors.ts";
import { canonicalJson } from "../core/hash.ts";
import type { Axis } from "../core/study.ts";
import { shown } from "./check-shape.ts";
import type { SourceFile } from "./source-file.ts";

/** A value listed twice would be a run that exists twice: refused, since one of the two is a slip. */
export function checkAxes(axes: Axis[], seeds: number[], file: SourceFile): void {
  for (const axis of axes) {
    const twice = firstRepeated(axis.rows.map((row) => canonicalJson(row)));
    if (twice === undefined) continue;
    const row = axis.rows[twice]!;
    throw new UserError(`${shown(row.length === 1 ? row[0] : row)} is listed twice`, {
      place: file.locate(["matrix", axis.names[0]!]),
      remedy: "Leave one out; to repeat a measurement use seeds: or repeats:.",
    });
  }
  const seedTwice = firstRepeated(seeds);
  if (seedTwice !== undefined) {
    throw new UserError(`seed ${seeds[seedTwice]} is listed twice`, {
      place: file.locate("seeds" in file.data ? ["seeds"] : ["matrix", "seeds"]),
      remedy: "Leave one out; to repeat a seed use repeats:.",
    });
  }
}

function firstRepeated(items: unknown[]): number | undefined {
  const seen = new Set<unknown>();
  for (let i = 0; i < items.length; i++) {
    if (seen.has(items[i])) return i;
    seen.add(items[i]);
  }
  return undefined;
}
