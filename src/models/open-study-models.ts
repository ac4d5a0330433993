import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { systemClock } from "../host/clock.ts";
import { appendText, readFolderText } from "../host/files.ts";
import { checkModel } from "./check-model.ts";
import { needsGate } from "./create-model.ts";
import { loadEnvFile } from "./env-file.ts";
import { Budget } from "./gate/budget.ts";
import { CallTally } from "./gate/call-tally.ts";
import { CountedGate, type CountLimits } from "./gate/counted-gate.ts";
import type { Gate } from "./gate/gate.ts";
import { GATE_VARIABLE, openGateServer } from "./gate/gate-server.ts";
import { type Pace, PacedGate } from "./gate/paced-gate.ts";
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
  /** Whose money it is, for messages. */
  whose?: string;
  /** False where what lost calls of earlier launches may have cost is no part of `limitUsd`. */
  isLostCounted?: boolean;
  /** Where a study with a limit keeps what calls may have cost that gave no answer: a later launch has spent it, too. */
  lostFile?: string;
  baseUrl?: string | undefined;
  /** Whether runs also call models that nobody could list, by agents of others: they share the gate. */
  isShared?: boolean;
  /** What all calls together may take beside dollars, and how fast; 0 means no limit. */
  bounds?: CountLimits & Pace;
  /** Where a study with such limits keeps what its calls have used. */
  tallyFile?: string;
}

export interface OpenModels {
  spentUsd(): number;
  noteOthers(usd: number): void;
  /** Calls from now on are held to this limit. */
  setLimit(usd: number): void;
  close(): Promise<void>;
}

/**
 * What a study does before its first run, in the process that runs it: takes keys from `.env`, says what is missing, and
 * opens the gate that its threads and child processes share (they find it through their environment). Make redactors
 * after this. The answer ends it, says what was spent, and takes note of what other workers of the study have spent of
 * the same budget since.
 */
export async function openStudyModels(study: StudyModels): Promise<OpenModels> {
  const { baseDir, limitUsd, pricesFile, baseUrl, lostFile } = study;
  const spentUsd = (study.spentUsd ?? 0) + (study.isLostCounted === false ? 0 : readLost(lostFile));
  const taken = loadEnvFile(join(baseDir, ".env"));
  const prices = pricesFile === undefined ? {} : await readPriceFile(resolve(baseDir, pricesFile));
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
  const around = boundsAround(study);
  if (!study.isShared && !around && !needsGate(specs, limitUsd))
    return {
      ...{ spentUsd: () => spentUsd, noteOthers: () => {}, setLimit: () => {} },
      close: async () => forget(),
    };
  const noteLost = (costUsd: number) => {
    if (limitUsd !== null) appendLost(lostFile, costUsd);
  };
  const server = await openGateServer(
    new Budget(limitUsd, { spentUsd, onLost: noteLost, ...(study.whose && { whose: study.whose }) }),
    around,
  );
  process.env[GATE_VARIABLE] = server.address;
  let othersUsd = 0;
  return {
    spentUsd: () => server.gate.budget.spentUsd,
    noteOthers(usd) {
      if (usd <= othersUsd) return;
      server.gate.budget.spentUsd += usd - othersUsd;
      othersUsd = usd;
    },
    setLimit(usd) {
      server.gate.budget.limitUsd = usd;
    },
    async close() {
      delete process.env[GATE_VARIABLE];
      forget();
      await server.close();
    },
  };
}

/** Undefined where no such limit is set. */
function boundsAround({ bounds, tallyFile }: StudyModels): ((gate: Gate) => Gate) | undefined {
  if (!bounds) return undefined;
  const { calls, tokens, perMinute, atOnce } = bounds;
  const isCounted = tallyFile !== undefined && (calls > 0 || tokens > 0);
  const isPaced = perMinute > 0 || atOnce > 0;
  if (!isCounted && !isPaced) return undefined;
  return (gate) => {
    const paced = isPaced ? new PacedGate(gate, bounds, systemClock) : gate;
    return isCounted ? new CountedGate(paced, bounds, new CallTally(tallyFile)) : paced;
  };
}

function readLost(path: string | undefined): number {
  if (path === undefined || !existsSync(path)) return 0;
  const costs = readFolderText(path)
    .split("\n")
    .flatMap((line) => /^\{"costUsd":([\d.e-]+)\}$/.exec(line)?.[1] ?? []);
  return costs.reduce((sum, cost) => sum + Number(cost), 0);
}

/** One write a line: several workers of a study may have calls that are lost. */
function appendLost(path: string | undefined, costUsd: number): void {
  if (path === undefined) return;
  try {
    appendText(path, `${JSON.stringify({ costUsd })}\n`);
  } catch {
    // A full disk shows in the journal, which stops the study; the budget of this launch knows it all the same.
  }
}
