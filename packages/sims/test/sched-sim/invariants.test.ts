import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { World } from "../../src/sched-sim/engine/world.ts";
import { startSimulation } from "../../src/sched-sim/index.ts";
import { paramsSchema, type SimInput } from "../../src/sched-sim/params.ts";
import { ATTEMPT_FINISH, ATTEMPT_START } from "../../src/sched-sim/trace-log.ts";
import { anyParams } from "./any-params.ts";

const anySeed = fc.integer({ min: 0, max: 1e9 });

/** Runs to the end and looks at the world after every event. */
function watch(params: SimInput, seed: number, look: (world: World) => void = () => {}): World {
  const simulation = startSimulation(paramsSchema.parse(params), seed);
  while (!simulation.advance(1)) look(simulation.world);
  return simulation.world;
}

function forAny(check: (params: SimInput, seed: number) => void): void {
  fc.assert(fc.property(anyParams, anySeed, check), { numRuns: 60 });
}

const total = (values: Iterable<number>) => [...values].reduce((sum, value) => sum + value, 0);

describe("whatever the parameters", () => {
  it("no slot is over its limit, no bucket below zero, the cap holds, and time never goes back", () => {
    forAny((params, seed) => {
      let before = 0;
      watch(params, seed, ({ stations, nowUs }) => {
        expect(nowUs).toBeGreaterThanOrEqual(before);
        before = nowUs;
        for (const { inFlight, concurrency, freeSlots, bucket, waiting } of stations) {
          expect(inFlight).toBeLessThanOrEqual(concurrency);
          expect(inFlight + freeSlots.length).toBe(concurrency);
          expect(bucket?.level(nowUs) ?? 0).toBeGreaterThanOrEqual(0);
          expect(waiting).toBeGreaterThanOrEqual(0);
        }
        expect(total(stations.map((station) => station.inFlight))).toBeLessThanOrEqual(params.in_flight_cap!);
      });
    });
  });

  it("no station idles while a call waits that could start", () => {
    forAny((params, seed) => {
      // Asked of each instant as a whole: between two events of one microsecond the second has not had its say.
      let idling = 0;
      let instantUs = -1;
      watch(params, seed, ({ stations, nowUs }) => {
        if (nowUs > instantUs) expect(idling).toBe(0);
        instantUs = nowUs;
        const isFull = total(stations.map((station) => station.inFlight)) === params.in_flight_cap;
        idling = stations.filter(
          ({ waiting, freeSlots, bucket }) =>
            !isFull && waiting > 0 && freeSlots.length > 0 && (bucket?.readyAtUs() ?? 0) <= nowUs,
        ).length;
      });
    });
  });

  it("what is started is finished, failed or cancelled, and every workflow ends", () => {
    forAny((params, seed) => {
      const { tally, table, stations } = watch(params, seed);
      expect(tally.attemptsStarted).toBe(
        tally.attemptsFinished + tally.attemptsFailed + tally.attemptsCancelled,
      );
      expect(total(stations.map((station) => station.started))).toBe(tally.attemptsStarted);
      expect(stations.every((station) => station.inFlight === 0 && station.waiting === 0)).toBe(true);
      expect([...table.outcome]).not.toContain(-1);
    });
  });

  it("Little's law holds at every station: time integrals equal the sums of single stays", () => {
    forAny((params, seed) => {
      for (const station of watch(params, seed).stations) {
        expect(station.queueArea).toBe(station.stayInQueueUs);
        expect(station.flightArea).toBe(station.stayInFlightUs);
      }
    });
  });

  it("cost equals the sum of the calls, and no workflow spends more than its budget", () => {
    forAny((params, seed) => {
      const { table, stations, trace, attempts } = watch(params, seed);
      const spent = new Float64Array(table.count);
      for (let row = 0; row < trace!.length; row++) {
        if (trace!.kinds[row] !== ATTEMPT_START) continue;
        spent[trace!.workflows[row]!]! += stations[attempts.station[trace!.slots[row]!]!]!.priceNanoUsd;
      }
      expect([...table.spentNanoUsd]).toEqual([...spent]);
      if (params.budget_usd != null) expect(Math.max(...spent)).toBeLessThanOrEqual(params.budget_usd * 1e9);
    });
  });

  it("no node starts before its parents have finished, and each finishes at most once", () => {
    forAny((params, seed) => {
      const { trace, graph } = watch(params, seed);
      const parents: number[][] = Array.from({ length: graph.size }, () => []);
      graph.children.forEach((children, node) => {
        for (const child of children) parents[child]!.push(node);
      });
      const finished = new Set<string>();
      for (let row = 0; row < trace!.length; row++) {
        const workflow = trace!.workflows[row]!;
        const node = trace!.nodes[row]!;
        const first = node - (node % graph.size);
        if (trace!.kinds[row] === ATTEMPT_START) {
          const before =
            node === first ? (first > 0 ? [first - 1] : []) : parents[node - first]!.map((p) => first + p);
          for (const parent of before) expect(finished).toContain(`${workflow}/${parent}`);
        } else if (trace!.kinds[row] === ATTEMPT_FINISH) {
          expect(finished).not.toContain(`${workflow}/${node}`);
          finished.add(`${workflow}/${node}`);
        }
      }
    });
  });
});
