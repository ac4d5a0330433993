import { type Sample, sampleProblem } from "../sample.ts";

/** Why groups can't be compared, or undefined if they can. */
export function groupsProblem(groups: readonly Sample[], atLeast: number): string | undefined {
  if (groups.length < 2)
    return `there is ${groups.length === 1 ? "one group" : "no group"} and a comparison needs two`;
  for (const [i, group] of groups.entries()) {
    const problem = sampleProblem(group, atLeast, `group ${i + 1}`);
    if (problem) return problem;
  }
  return undefined;
}
