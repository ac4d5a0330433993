import { UserError } from "../../core/errors.ts";
import { clearestIssue, explainIssue } from "../../core/explain-issue.ts";
import { openFamily } from "../../core/family.ts";
import type { EarlyStop } from "../../core/space.ts";
import { suggestion } from "../../core/suggest.ts";
import { halving } from "./halving.ts";
import { hyperband } from "./hyperband.ts";
import { median } from "./median.ts";
import { race } from "./race.ts";
import type { Race, Stopper, Verdict } from "./stopper.ts";
import { wilcoxon } from "./wilcoxon.ts";

export const stoppers: Readonly<Record<string, Stopper>> = openFamily<Stopper>("stopper", {
  ...{ hyperband, halving, median, wilcoxon, race },
});

/** What a study's early stopping says about runs; its name and options are checked here. */
export function makeJudge({ kind, options }: EarlyStop, points?: number): (race: Race) => Verdict {
  const stopper = Object.hasOwn(stoppers, kind) ? stoppers[kind] : undefined;
  if (!stopper) {
    throw new UserError(`there is no early stopping "${kind}"`, {
      remedy: suggestion(kind, Object.keys(stoppers)),
    });
  }
  const parsed = stopper.options.safeParse(options);
  if (!parsed.success) {
    const issue = clearestIssue(parsed.error.issues)!;
    const place = { path: ["earlyStop", ...issue.path].join(".") };
    if (issue.code !== "unrecognized_keys") {
      throw new UserError(kind, { place, expected: explainIssue(issue) });
    }
    throw new UserError(`${kind} has no option "${issue.keys[0]}"`, { place });
  }
  if (stopper.needsPoints && points === undefined)
    throw new UserError(`early stopping by ${kind}`, {
      expected: "a search with a number of points, among which it shares its error",
      got: "one without",
      remedy: "Write points: 50.",
    });
  return (race) => stopper.judge({ ...race, of: points }, parsed.data);
}

/** How many points take turns, piece by piece; undefined where one is done after the other. */
export function fieldOf({ kind, options }: EarlyStop): number | undefined {
  const stopper = stoppers[kind];
  return stopper?.field?.(stopper.options.parse(options));
}
