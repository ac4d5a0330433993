import { rounded } from "../core/number-text.ts";
import type { StudyFile } from "../core/study-folder.ts";
import { etaMs, type Runner } from "../read/runner-of.ts";
import type { StudyCard } from "../reporters/study-view.ts";
import type { Tally } from "./tally.ts";

interface CardFacts {
  id: string;
  name: string;
  study: StudyFile | undefined;
  runner: Runner | undefined;
  /** Whether the server may ask a runner for anything. */
  mayControl: boolean;
  /** What no record tells of its cost. */
  lateCostUsd?: number;
  nowMs: number;
}

/** A study in the list of the live page. Numbers that only flicker are rounded, so that cards change when it matters. */
export function cardOf(
  tally: Tally,
  { id, name, study, runner, mayControl, lateCostUsd = 0, nowMs }: CardFacts,
): StudyCard {
  const { ended, ok, stopped, failed, cancelled } = tally.counts;
  const live = runner?.live;
  const total = live?.total ?? study?.total ?? ended;
  const missing = Math.max(0, total - ended);
  const state = live?.state ?? "running";
  const eta = live && state === "running" ? etaMs(live) : null;
  const pace = live && state !== "paused" ? tally.perSecond(nowMs, live.startedAtMs) : null;
  const launchedAt = Date.parse(study?.launches.at(-1)?.at ?? "");
  return {
    id,
    name,
    state: runner ? state : missing + cancelled > 0 ? "stopped" : failed > 0 ? "failed" : "done",
    counts: { total, ok, stopped, failed, cancelled, missing, running: live?.running.length ?? 0 },
    running: live?.running ?? [],
    startedAtMs: live?.startedAtMs ?? (Number.isNaN(launchedAt) ? null : launchedAt),
    updatedAtMs: tally.updatedAtMs,
    etaMs: eta === null ? null : Math.round(eta / 1000) * 1000,
    perSecond: pace === null ? null : rounded(pace, 2),
    costUsd: tally.costUsd + lateCostUsd,
    newestFailures: tally.newestFailures,
    jobs: live?.jobs ?? study?.study.executor.jobs ?? 0,
    costLimitUsd: live?.costLimitUsd ?? study?.study.limits.costUsd ?? null,
    canControl: mayControl && (runner?.listens ?? false),
  };
}
