import { dirname, join } from "node:path";
import { findStudy, isStudy, launchesOf } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import { suggestion } from "../core/suggest.ts";

/** The folder of a launch: the newest one of a study, or the one that is named by its time. */
export function findLaunch(
  name: string,
  { latest, rollout, outRoot }: { latest?: boolean; rollout?: string; outRoot?: string },
): string {
  if (latest && rollout !== undefined)
    throw new UserError("--latest and --rollout", { expected: "one of the two", got: "both" });
  const newest = findStudy(name, outRoot);
  if (rollout === undefined) return newest;
  const parent = dirname(newest);
  if (isStudy(join(parent, rollout))) return join(parent, rollout);
  const known = launchesOf(parent).map((dir) => dir.split("/").at(-1)!);
  throw new UserError(`${name} has no launch ${rollout}`, {
    remedy: known.length > 0 ? suggestion(rollout, known) : "Its launches are not kept apart.",
  });
}
