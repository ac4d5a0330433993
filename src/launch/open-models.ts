import { dirname } from "node:path";
import type { Study } from "../core/study.ts";
import { modelsOfStudy } from "./models-of-study.ts";
import type { PreparedStudy } from "./prepare-study.ts";

/** Whether the runs of a study ask language models. */
export function asksModels(study: Study): boolean {
  return modelsOfStudy(study).models.length > 0;
}

/**
 * Before the first run of a study that asks language models: every key and price that will be needed is there, and one
 * budget is open for all of its threads and processes. What comes back closes it.
 */
export async function openModels(
  { study, spec, studyDir }: PreparedStudy,
  { spentUsd }: { spentUsd: number },
): Promise<{ noteOthers(usd: number): void; close(): Promise<void> }> {
  const asked = modelsOfStudy(study);
  if (asked.models.length === 0) return { noteOthers: () => {}, close: async () => {} };
  const { openStudyModels } = await import("../models/open-study-models.ts");
  return openStudyModels({
    ...asked,
    baseDir: dirname(spec.path),
    limitUsd: study.limits.costUsd ?? null,
    spentUsd,
    lostFile: `${studyDir}/lost-calls.jsonl`,
  });
}
