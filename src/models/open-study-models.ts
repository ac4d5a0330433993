import { join } from "node:path";
import { checkModel } from "./check-model.ts";
import { needsGate } from "./create-model.ts";
import { loadEnvFile } from "./env-file.ts";
import { GATE_VARIABLE, openGateServer } from "./gate/gate-server.ts";
import { readPriceFile } from "./prices/price-file.ts";

interface StudyModels {
  /** Every model that some run of the study names. */
  models: Iterable<string>;
  /** The folder of the study file; a `.env` in it is read. */
  baseDir: string;
  limitUsd: number | null;
  /** What earlier launches of the study spent. */
  spentUsd?: number;
  /** The user's price file, relative to `baseDir`. */
  pricesFile?: string | undefined;
  baseUrl?: string | undefined;
}

/**
 * What a study does before its first run, in the process that runs it: takes keys from `.env`, says what is missing, and
 * opens the gate that its threads and child processes share (they find it through their environment). Make redactors
 * after this. The answer ends it, says what was spent, and takes note of what other workers of the study have spent of
 * the same budget since.
 */
export async function openStudyModels(
  study: StudyModels,
): Promise<{ spentUsd(): number; noteOthers(usd: number): void; close(): Promise<void> }> {
  const { baseDir, limitUsd, spentUsd = 0, pricesFile, baseUrl } = study;
  const taken = loadEnvFile(join(baseDir, ".env"));
  const prices = pricesFile === undefined ? {} : await readPriceFile(join(baseDir, pricesFile));
  const limit = limitUsd ?? undefined;
  const checks = [...new Set(study.models)].map((name) =>
    checkModel(name, { baseDir, baseUrl, limitUsd: limit, prices }),
  );
  const forget = () => {
    for (const name of taken) delete process.env[name];
  };
  const specs = await Promise.all(checks).catch((error: unknown) => {
    forget();
    throw error;
  });
  if (!needsGate(specs, limitUsd))
    return { spentUsd: () => spentUsd, noteOthers: () => {}, close: async () => forget() };
  const server = await openGateServer(limitUsd, spentUsd);
  process.env[GATE_VARIABLE] = server.address;
  let othersUsd = 0;
  return {
    spentUsd: () => server.gate.budget.spentUsd,
    noteOthers(usd) {
      if (usd <= othersUsd) return;
      server.gate.budget.spentUsd += usd - othersUsd;
      othersUsd = usd;
    },
    async close() {
      delete process.env[GATE_VARIABLE];
      forget();
      await server.close();
    },
  };
}
