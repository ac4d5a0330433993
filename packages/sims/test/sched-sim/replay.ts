import type { SimParams } from "../../src/sched-sim/params.ts";

interface TraceEvent {
  ev: string;
  t_ms: number;
  wf: number;
  node: number | null;
  extra?: { tier?: string; try?: number; cost?: number; hedge?: boolean; reason?: string; outcome?: string };
}

interface Replayed {
  workflows: Record<string, number | string>[];
  tiers: Map<string, { calls: number; busyMs: number; waitsMs: number[]; cost: number }>;
  counts: Record<string, number>;
}

const us = (ms: number) => Math.round(ms * 1000);

/** Rebuilds a run's results from its trace.json alone: a second program that must come to the same numbers. */
export function replay(events: TraceEvent[], params: SimParams): Replayed {
  const size = 3 + params.pdfs * (3 + 2 * params.subqueries);
  const replayed: Replayed = { workflows: [], tiers: new Map(), counts: {} };
  const queued = new Map<string, number>();
  const running = new Map<string, TraceEvent>();
  const wasQueued = new Set<string>();
  const count = (name: string) => {
    replayed.counts[name] = (replayed.counts[name] ?? 0) + 1;
  };
  const cheapest = (tier: string) => {
    const provider = tier.replace(/_tier\d+$/, "");
    const prices = params.tiers.filter((t) => t.provider === provider).map((t) => t.price_usd);
    return prices.length === 0 ? 0 : Math.min(...prices);
  };
  for (const event of events) {
    const lane = `${event.wf}/${event.node}/${event.extra?.hedge ?? false}`;
    const workflow = replayed.workflows[event.wf] as Record<string, number>;
    count(event.ev);
    switch (event.ev) {
      case "WorkflowStart":
        replayed.workflows[event.wf] = { arrived: event.t_ms, nano: 0, wastedUs: 0, wastedNano: 0, last: 0 };
        break;
      case "NodeQueued":
        if (wasQueued.has(lane)) count("retries");
        wasQueued.add(lane);
        queued.set(lane, event.t_ms);
        break;
      case "HedgeLaunched":
        queued.set(`${event.wf}/${event.node}/true`, event.t_ms);
        break;
      case "AttemptStart": {
        const { tier, cost, hedge } = event.extra as { tier: string; cost: number; hedge?: boolean };
        const at = replayed.tiers.get(tier) ?? { calls: 0, busyMs: 0, waitsMs: [], cost: 0 };
        replayed.tiers.set(tier, at);
        at.calls++;
        at.cost += Math.round(cost * 1e9);
        at.waitsMs.push((us(event.t_ms) - us(queued.get(lane)!)) / 1000);
        if (!hedge && cost > cheapest(tier)) count("escalations");
        workflow.nano! += Math.round(cost * 1e9);
        workflow.last = Math.max(workflow.last!, Math.floor(event.node! / size));
        running.set(lane, event);
        break;
      }
      case "AttemptFinish":
      case "AttemptFail":
      case "AttemptCancel": {
        const start = running.get(lane)!;
        running.delete(lane);
        const spanUs = us(event.t_ms) - us(start.t_ms);
        replayed.tiers.get(start.extra!.tier!)!.busyMs += spanUs;
        if (event.extra?.reason === "timeout") count("timeouts");
        if (event.ev === "AttemptFinish") {
          if (event.extra?.hedge) count("hedges_won");
        } else {
          workflow.wastedUs! += spanUs;
          workflow.wastedNano! += Math.round(start.extra!.cost! * 1e9);
        }
        break;
      }
      case "WorkflowDone":
        Object.assign(workflow, { ended: event.t_ms, outcome: event.extra!.outcome });
        break;
    }
  }
  return replayed;
}
