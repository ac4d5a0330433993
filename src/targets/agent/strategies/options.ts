import { UserError } from "../../../core/errors.ts";
import type { Params } from "../../../core/params.ts";

/** A hyperparameter that counts something. */
export function wholeNumber(
  given: Params,
  name: string,
  { usual, least }: { usual: number; least: number },
): number {
  const value = given[name] ?? usual;
  if (typeof value === "number" && Number.isInteger(value) && value >= least) return value;
  throw new UserError(`parameter ${name}`, {
    expected: `a whole number of at least ${least}`,
    got: JSON.stringify(value),
  });
}

export interface SummaryOptions {
  /** Turns that become one checkpoint. */
  sumN: number;
  /** Turns beside it that stay as they are. */
  keepM: number;
  /** A checkpoint replaces those before it. */
  isStatic: boolean;
  /** Checkpoints list the actions of their turns. */
  extractActions: boolean;
}

/** The hyperparameters of summaries: more turns must be summarised at a time than are kept beside. */
export function summaryOptions(given: Params): SummaryOptions {
  const sumN = wholeNumber(given, "sum_n", { usual: 21, least: 1 });
  const keepM = wholeNumber(given, "sum_keep_m", { usual: 10, least: 0 });
  if (keepM >= sumN) {
    throw new UserError("sum_keep_m must be less than sum_n", {
      expected: `fewer turns kept than summarised at a time (sum_n: ${sumN})`,
      got: `sum_keep_m: ${keepM}`,
      remedy: `Set sum_keep_m below ${sumN}; in a search add where: sum_keep_m < sum_n.`,
    });
  }
  return {
    sumN,
    keepM,
    isStatic: given.static_checkpoint !== false,
    extractActions: given.extract_actions === true,
  };
}
