import { UserError } from "../core/errors.ts";
import { shownValue } from "../core/explain-issue.ts";
import { firstRepeated, repeatedRow, repeatedSeed } from "../core/repeated.ts";
import type { Matrix } from "../core/study.ts";
import type { SourceFile } from "./source-file.ts";

/** What is listed twice would be a run that exists twice: refused, since one of the two is a slip. */
export function checkRepeats({ axes, seeds, variants }: Matrix, file: SourceFile): void {
  for (const axis of axes) {
    const { names, rows } = axis;
    const twice = repeatedRow(axis);
    if (twice === undefined) continue;
    const row = rows[twice]!;
    throw new UserError(`${shownValue(row.length === 1 ? row[0] : row)} is listed twice`, {
      place: file.locate(names.length === 1 ? ["matrix", names[0]!] : ["zip"]),
      remedy: "Remove one; to repeat a measurement use seeds: or repeats:.",
    });
  }
  const seedTwice = repeatedSeed(seeds);
  if (seedTwice !== undefined) {
    throw new UserError(`seed ${seeds[seedTwice]} is listed twice`, {
      place: file.locate("seeds" in file.data ? ["seeds"] : ["matrix", "seeds"]),
      remedy: "Remove one; to repeat a seed use repeats:.",
    });
  }
  const variantTwice = firstRepeated(variants.map(({ name }) => name));
  if (variantTwice !== undefined) {
    const path = "variants" in file.data ? ["variants"] : ["matrix", "ablations"];
    throw new UserError(`the name "${variants[variantTwice]!.name}" is given twice`, {
      place: file.locate([...path, variantTwice]),
      remedy: "Give each its own name.",
    });
  }
}
