import type { PreparedStudy } from "../../launch/prepare-study.ts";

/** How many runs a sweep has in all; infinite where a search goes on until somebody ends it. */
export async function sweepSize({ study, plan }: Pick<PreparedStudy, "study" | "plan">): Promise<number> {
  if (!study.search) return plan.count();
  const { planSearch } = await import("../plan-search.ts");
  return planSearch(plan, study.search).total ?? Number.POSITIVE_INFINITY;
}
