import { dirname, join } from "node:path";
import { purseOf } from "../core/number-text.ts";
import type { Limits } from "../core/study.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import type { OpenModels } from "../models/open-study-models.ts";
import type { PreparedStudy } from "./prepare-study.ts";

/** Keys that stand in a `.env` beside the study file, where its runs ask language models. */
export async function loadKeys({ names, isShared }: PreparedStudy["models"], baseDir: string): Promise<void> {
  if (names.length > 0 || isShared)
    (await import("../models/env-file.ts")).loadEnvFile(join(baseDir, ".env"));
}

/**
 * Before the first run of a study that asks language models: every key and price that will be needed is there, and one
 * budget is open for all of its threads and processes. What comes back closes it.
 */
export async function openModels(
  { study, spec, studyDir, models: { names, isShared = false, ...asked } }: PreparedStudy,
  { limits, beforeUsd }: { limits: Limits; beforeUsd: number },
): Promise<Omit<OpenModels, "spentUsd">> {
  if (names.length === 0 && !isShared)
    return { noteOthers: () => {}, setLimit: () => {}, close: async () => {} };
  const purse = purseOf(limits, beforeUsd);
  const { openStudyModels } = await import("../models/open-study-models.ts");
  return openStudyModels({
    ...asked,
    models: names,
    isShared,
    baseDir: dirname(spec.path),
    limitUsd: purse?.limitUsd ?? null,
    spentUsd: purse?.spentUsd ?? beforeUsd,
    whose: `${purse?.whose ?? "the study"}'s`,
    // What lost calls of earlier launches may have cost counts only where those launches do.
    isLostCounted: purse?.whose !== "the launch",
    lostFile: `${studyDir}/${STUDY_FILES.lostCalls}`,
    bounds: {
      calls: study.limits.calls ?? 0,
      tokens: study.limits.tokens ?? 0,
      perMinute: study.limits.callsPerMinute ?? 0,
      atOnce: study.limits.callsAtOnce ?? 0,
    },
    tallyFile: `${studyDir}/${STUDY_FILES.modelCalls}`,
  });
}
