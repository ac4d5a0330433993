import type { Model } from "../../models/model.ts";
import type { Workspace } from "../../sandboxes/sandbox.ts";
import { exitOfError, isUnmeasured } from "./exit.ts";
import { Ledger } from "./ledger.ts";
import { review, TOP_SCORE } from "./review.ts";
import { type InstanceResult, type InstanceSetting, runInstance } from "./run-instance.ts";
import type { AgentTask } from "./tasks/task.ts";

export interface RetrySetting extends Omit<InstanceSetting, "workspace" | "before"> {
  reviewer: Model;
  /** A fresh copy of the repository. */
  openWorkspace(): Promise<Workspace>;
}

export interface Attempt extends InstanceResult {
  /** Null where nobody gave one. */
  reviewScore: number | null;
}

/** The attempt that is handed in; with `retry_attempts`, beside all of them. */
export interface RetriedResult extends InstanceResult {
  attempts?: Attempt[];
  reviewScore?: number | null;
}

/** Far enough apart that attempts of neighbouring seeds don't meet. */
const SEEDS_APART = 1_000_003;

/**
 * Attempts at one task, each from the beginning and under a seed of its own, until a reviewer is sure of one, all are
 * made, or a limit ends the instance. The best scored one is handed in; the tests that grade are never asked.
 */
export async function runWithRetries(task: AgentTask, setting: RetrySetting): Promise<RetriedResult> {
  const { params, seed, signal, reviewer } = setting;
  const ledger = new Ledger();
  const attempts: Attempt[] = [];
  const start = performance.now();
  for (let i = 0; i < params.retry_attempts; i++) {
    const before = { ledger, wallMs: performance.now() - start };
    const result = await runOnce(task, { ...setting, seed: seed + i * SEEDS_APART, before });
    if (params.retry_attempts === 1) return result;
    const attempt: Attempt = { ...result, reviewScore: null };
    attempts.push(attempt);
    // A limit holds for all attempts together, and what is broken stays so.
    if (result.exit.owner !== "agent") break;
    try {
      const maxOutputTokens = params.output_tokens;
      attempt.reviewScore = await review(task, result, { reviewer, ledger, seed, maxOutputTokens, signal });
    } catch (error) {
      if (signal.aborted) break;
      const exit = exitOfError(error, { hasAnswered: true });
      // A reviewer that has nothing to say leaves the attempt without a score; one that is gone ends the instance.
      if (exit.owner === "agent") continue;
      Object.assign(attempt, { exit, exitStatus: exit.status });
      break;
    }
    if (attempt.reviewScore === TOP_SCORE) break;
  }
  return { ...best(attempts), wallMs: performance.now() - start, attempts };
}

async function runOnce(
  task: AgentTask,
  { openWorkspace, ...setting }: Omit<RetrySetting, "reviewer"> & Pick<InstanceSetting, "before">,
): Promise<InstanceResult> {
  const workspace = await openWorkspace();
  try {
    return await runInstance(task, { ...setting, workspace });
  } finally {
    await workspace.close();
  }
}

/** The highest score; a submission goes before none, the earlier before the later. A broken end is the instance's. */
function best(attempts: readonly Attempt[]): Attempt {
  const last = attempts.at(-1)!;
  if (isUnmeasured(last.exit)) return last;
  const worth = ({ submission, reviewScore }: Attempt) => (submission ? 1 + (reviewScore ?? 0) : 0);
  return attempts.reduce((a, b) => (worth(b) > worth(a) ? b : a));
}
