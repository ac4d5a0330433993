import { loadTarget } from "../targets/load-target.ts";
import type { LoadedStudy } from "./load-study.ts";
import { standIn } from "./stand-in.ts";

/**
 * A sweep file of another tool that names one of our targets: its parameters get the target's names, and those that do
 * nothing for some value of another make no runs there.
 */
export async function settleNames({ study, spec }: LoadedStudy): Promise<void> {
  const { search, target: ref } = study;
  if (!search || spec.dialect !== "wandb-sweep" || ref.kind === "command") return;
  const { names = {}, when = {}, standIns } = (await loadTarget(ref)).sweeps ?? {};
  const dropped = search.space.filter(({ name }) => names[name] === null).map(({ name }) => name);
  const warnings = dropped.length > 0 ? [`${dropped.join(", ")}: no parameter of this target; left out`] : [];
  const space = search.space
    .filter(({ name }) => names[name] !== null)
    .map((parameter) => {
      const ours = Object.hasOwn(names, parameter.name) ? names[parameter.name]! : parameter.name;
      return { ...parameter, name: ours, path: [ours, ...parameter.path.slice(1)] };
    });
  const isThere = (name: string) => space.some((parameter) => parameter.name === name);
  search.space = space.map((parameter) => {
    const condition = Object.hasOwn(when, parameter.name) ? when[parameter.name] : undefined;
    if (condition === undefined || parameter.when !== undefined || !isThere("strategy")) return parameter;
    return { ...parameter, when: condition };
  });
  if (standIns && !isThere(standIns.unless) && study.params[standIns.unless] === undefined)
    warnings.push(...standIn(search, standIns));
  if (warnings.length > 0) study.warnings = [...(study.warnings ?? []), ...warnings];
}
