import { describe, expect, test } from "vitest";
import { fleetText } from "../../src/cli/fleet-text.ts";
import { styleFor } from "../../src/cli/terminal.ts";
import type { FleetView } from "../../src/core/fleet-view.ts";
import type { WorkerRecord } from "../../src/fleet/registry.ts";
import { viewWorker } from "../../src/fleet/view.ts";

function aRecord(
  change: Partial<WorkerRecord> & { isAlive?: boolean } = {},
): WorkerRecord & { isAlive: boolean } {
  return {
    ...{ id: "host-1-abc", host: "host", pid: 1, version: "1.2.3", protocol: 1, cores: 4, memoryMb: 2048 },
    ...{
      labels: [],
      targets: [],
      onlyShipped: false,
      jobs: 2,
      state: "running",
      startedAtMs: 0,
      seenAtMs: 90_000,
    },
    ...{ doing: [], done: 7, failed: 1, perMinute: 30, lacks: {}, refusals: [], isAlive: true },
    ...change,
  };
}

function aView(change: Partial<FleetView> = {}): FleetView {
  const nothing = { workers: [], classes: [], studies: [], limits: [], troubles: [] };
  return { queue: "redis://q:1", nowMs: 100_000, ...nothing, ...change };
}

const plain = styleFor({ isTTY: false } as NodeJS.WriteStream);
const viewOf = (record: WorkerRecord & { isAlive: boolean }) =>
  viewWorker(record, new Map([["s1", "nightly"]]));

describe("a worker as it is shown", () => {
  test("is silent when it has not been heard of, whatever it said last, and does nothing", () => {
    expect(viewOf(aRecord({ isAlive: false, state: "paused" }))).toMatchObject({
      state: "silent",
      perMinute: 0,
    });
  });

  test("that was refused stays refused after its end, with why", () => {
    const problem = "this worker is Assay 1.2.3, and a study is run by Assay 1.3.0: install the same version";
    const worker = viewOf(aRecord({ isAlive: false, state: "refused", problem }));
    expect(worker).toMatchObject({ state: "refused", notes: [problem] });
    const text = fleetText(aView({ workers: [worker] }), plain);
    expect(text).toContain(`refused host-1-abc: ${problem}`);
    expect(text).toContain("0 workers with 0 places");
  });

  test("tells which studies it can't run, by their names, and what it refused", () => {
    const lacks = { s1: "it lacks the label gpu", s2: "python3 is not in its PATH" };
    const { notes } = viewOf(
      aRecord({ lacks, refusals: ["refused job 7: its signature is not of this fleet"] }),
    );
    expect(notes).toEqual([
      "nightly: it lacks the label gpu",
      "s2: python3 is not in its PATH",
      "refused job 7: its signature is not of this fleet",
    ]);
  });
});

describe("a fleet in words", () => {
  test("leaves out what there is none of, and says how to begin", () => {
    expect(fleetText(aView(), plain)).toBe(
      "redis://q:1: no worker is there; start some with `assay worker --queue redis://q:1`",
    );
  });

  test("shows what runs, the longest first, and a study without its coordinator", () => {
    const doing = [
      { study: "s1", name: "nightly", run: "young", sinceMs: 99_000 },
      { study: "s1", name: "nightly", run: "old", sinceMs: 40_000 },
    ];
    const study = {
      name: "nightly",
      host: "far",
      total: null,
      ended: 3,
      failed: 1,
      startedAtMs: 0,
      resultsWaiting: 4,
    };
    const view = aView({ workers: [viewOf(aRecord({ doing }))], studies: [{ ...study, state: "away" }] });
    const text = fleetText(view, plain);
    expect(text.indexOf("old")).toBeLessThan(text.indexOf("young"));
    expect(text).toMatch(/old +host-1-abc +1 min 0 s/);
    expect(text).toMatch(/nightly +far +away \(its results wait\) +3\/\? +1 +4 /);
    expect(text).toContain("1 worker with 2 places, 2 runs under way, 30 runs per minute");
  });

  test("lets no name steer the terminal", () => {
    const trouble = {
      kind: "stalled" as const,
      study: "s",
      what: "a\x1b[2Jb",
      why: "its worker fell silent",
    };
    expect(fleetText(aView({ troubles: [trouble] }), plain)).not.toContain("\x1b");
  });
});
