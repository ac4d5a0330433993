import { describe, expect, it } from "vitest";
import type { SimInput } from "../../src/sched-sim/params.ts";
import type { SimResult } from "../../src/sched-sim/result.ts";
import { ATTEMPT_FINISH, ATTEMPT_START } from "../../src/sched-sim/trace-log.ts";
import { runSim } from "./run-sim.ts";

/** All results but the parameters, as text. */
function bytes({ params: _, graph: __, trace, ...results }: SimResult): string {
  const columns = trace && [trace.kinds, trace.timesUs, trace.nodes, trace.slots, trace.details];
  return JSON.stringify([results, columns?.map((column) => column.slice(0, trace!.length).join())]);
}

/** How long each first try ran that finished, as microseconds of work at speed 1. */
function serviceTimes({ trace, params }: SimResult): Map<string, number> {
  const speeds = new Map<number, number>();
  let slot = 0;
  const tiers = [...params.tiers].sort((a, b) =>
    a.provider < b.provider ? -1 : a.provider > b.provider ? 1 : 0,
  );
  for (const { concurrency, speed } of tiers) for (let i = 0; i < concurrency; i++) speeds.set(slot++, speed);
  const started = new Map<number, number>();
  const times = new Map<string, number>();
  for (let row = 0; row < trace!.length; row++) {
    const at = trace!.slots[row]!;
    if (trace!.kinds[row] === ATTEMPT_START) started.set(at, row);
    const start = started.get(at)!;
    if (trace!.kinds[row] !== ATTEMPT_FINISH || trace!.details[start] !== 0) continue;
    const us = (trace!.timesUs[row]! - trace!.timesUs[start]!) * (speeds.get(at) ?? 1);
    times.set(`${trace!.workflows[row]}/${trace!.nodes[row]}`, us);
  }
  return times;
}

describe("arms that are identical by construction give identical bytes", () => {
  const same: [string, SimInput, SimInput][] = [
    ["fifo with and without hedging", { policy: "fifo_cheapest" }, { disable_hedging: true }],
    ["fifo with and without escalation", { policy: "fifo_cheapest" }, { disable_escalation: true }],
    ["fifo with and without dag priority", { policy: "fifo_cheapest" }, { disable_dag_priority: true }],
    ["dag_escalation with and without hedging", { policy: "dag_escalation" }, { disable_hedging: true }],
    [
      "full without hedging and dag_escalation",
      { policy: "dag_escalation" },
      { policy: "full", disable_hedging: true },
    ],
    [
      "dag_cheapest without dag priority and fifo",
      { policy: "fifo_cheapest" },
      { policy: "dag_cheapest", disable_dag_priority: true },
    ],
    ["whatever the time scale", { policy: "full" }, { time_scale: 50 }],
  ];
  it.each(same)("%s", (_, params, change) => {
    const base: SimInput = { workflows: 10, ...params };
    expect(bytes(runSim({ ...base, ...change }))).toBe(bytes(runSim(base)));
  });

  it("the same seed twice", () => {
    expect(bytes(runSim({ workflows: 10 }, 7))).toBe(bytes(runSim({ workflows: 10 }, 7)));
  });
});

describe("under one seed", () => {
  it("every policy meets the same service times", () => {
    const base = serviceTimes(runSim({ workflows: 8, policy: "fifo_cheapest" }));
    for (const policy of ["dag_cheapest", "full", "srpt_cheapest", "budget_paced"]) {
      const other = serviceTimes(runSim({ workflows: 8, policy }));
      let shared = 0;
      for (const [node, us] of other) {
        if (!base.has(node)) continue;
        expect(Math.abs(us - base.get(node)!)).toBeLessThanOrEqual(2); // rounding of a faster tier's time
        shared++;
      }
      expect(shared).toBeGreaterThan(500);
    }
  });

  it("every policy that finishes a workflow takes as many iterations for it", () => {
    const iterations = (policy: string) =>
      runSim({ workflows: 10, policy }).workflows.map((w) => w.iterations);
    expect(iterations("full")).toEqual(iterations("fifo_cheapest"));
  });

  it("one workflow more leaves the draws of the others as they were", () => {
    const few = serviceTimes(runSim({ workflows: 4, policy: "fifo_cheapest" }));
    const more = serviceTimes(runSim({ workflows: 5, policy: "fifo_cheapest" }));
    for (const [node, us] of few) expect(more.get(node)).toBe(us);
  });

  it("another seed gives other results", () => {
    expect(bytes(runSim({ workflows: 3 }, 1))).not.toBe(bytes(runSim({ workflows: 3 }, 2)));
  });
});
