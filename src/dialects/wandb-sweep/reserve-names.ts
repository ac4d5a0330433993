import { placeText, UserError } from "../../core/errors.ts";
import { RUN_NAMES } from "../../core/expression.ts";
import type { Value } from "../../core/params.ts";
import type { SpaceParameter } from "../../core/space.ts";
import type { SweepArgs } from "../../core/study.ts";
import type { ResolvedFile } from "./resolve-scalars.ts";

interface Reserved {
  space: SpaceParameter[];
  seeds: number[];
  /** How the program gets its parameters under the names that it knows. */
  printed: Pick<SweepArgs, "seedName" | "names">;
  warnings: string[];
}

const MOST_SEEDS = 10;

/**
 * Every run of a study has a seed, a variant, a task and a repeat of its own, so parameters of these names can't stand
 * beside them. A parameter `seed` becomes the seeds of the study; the others are called `task_` and the like in
 * tables. The program sees the names of its file.
 */
export function reserveNames(
  space: SpaceParameter[],
  { method, file }: { method: string; file: ResolvedFile },
): Reserved {
  const reserved: Reserved = { space: [], seeds: [1], printed: {}, warnings: [] };
  const tell = (path: string[], text: string) =>
    reserved.warnings.push(`${placeText(file.locate(["parameters", ...path]))}: ${text}`);
  const names: Record<string, string> = {};
  for (const parameter of space) {
    const [top, ...below] = parameter.path as [string, ...string[]];
    if (top === "seed" && below.length === 0) {
      const seeds = wholeNumbers(parameter);
      if (!seeds) {
        throw new UserError("", {
          place: file.locate(["parameters", "seed"]),
          expected: `a list of whole numbers, or at most ${MOST_SEEDS} from min to max, since they are the study's seeds`,
          remedy: "Write seed: {values: [1, 2, 3]}, or give the parameter another name.",
        });
      }
      reserved.seeds = seeds;
      reserved.printed.seedName = "seed";
      if (method !== "grid" && seeds.length > 1) {
        tell(["seed"], `each point is run with all ${seeds.length} seeds, and the search sees their mean`);
      }
    } else if (RUN_NAMES.includes(top)) {
      const path = [`${top}_`, ...below];
      names[`${top}_`] = top;
      reserved.space.push({ ...parameter, name: path.join("."), path });
    } else reserved.space.push(parameter);
  }
  for (const [ours, theirs] of Object.entries(names)) {
    tell([theirs], `called "${ours}" in tables, since every run has a ${theirs}; the program gets ${theirs}`);
  }
  if (Object.keys(names).length > 0) reserved.printed.names = names;
  return reserved;
}

function wholeNumbers({ distribution }: SpaceParameter): number[] | undefined {
  if (distribution.kind === "integer") {
    const { min, max } = distribution;
    if (max - min >= MOST_SEEDS) return undefined;
    return Array.from({ length: max - min + 1 }, (_, i) => min + i);
  }
  const values: Value[] =
    distribution.kind === "constant"
      ? [distribution.value]
      : distribution.kind === "categorical"
        ? distribution.values
        : [];
  const numbers = values.filter((value) => Number.isInteger(value)) as number[];
  return numbers.length === values.length && numbers.length > 0 ? [...new Set(numbers)] : undefined;
}
