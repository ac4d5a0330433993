import { defineConfig } from "vitest/config";
import LongestFirst from "./scripts/longest-first.ts";

const alias = {
  "assay/plugin": new URL("./src/plugin.ts", import.meta.url).pathname,
  "assay/stats": new URL("./src/stats/index.ts", import.meta.url).pathname,
  "assay/contracts": new URL("./src/contracts/index.ts", import.meta.url).pathname,
  assay: new URL("./src/index.ts", import.meta.url).pathname,
};
const shared = { globalSetup: ["./scripts/build-once.ts"] };
/** Thousands of simulated studies each: what a statistic or a searcher promises, what theory says of a simulator, what a world of agents costs. */
const simulations = [
  "test/stats/calibration/**/*.test.ts",
  "test/analysis/{compare,decide}/*calibration.test.ts",
  "test/analysis/labels/judge-coverage.test.ts",
  "test/analysis/search/optimism.test.ts",
  "test/analysis/power/promise.test.ts",
  "test/read/{one-answer,adversary}.test.ts",
  "test/search/searchers/known-optima.test.ts",
  "packages/sims/test/{sched-sim,fleet-sim}/theory.test.ts",
  "packages/sims/test/sched-sim/invariants.test.ts",
  "packages/sims/test/learn/{memory,learns}.test.ts",
  "packages/sims/test/fleet-sim/fleet.test.ts",
  "packages/sims/test/farm/spatial/{targets,indexes}.test.ts",
  "packages/sims/test/farm/step-log.test.ts",
];
/** Of the program's own parts, but with real programs and servers that come and go: they stand with their room. */
const processes = [
  "test/executors/around/{services,model-gateways}.test.ts",
  "test/executors/serving.test.ts",
  "test/contracts/contracts.test.ts",
  "test/depots/depots.test.ts",
  "test/server/events.test.ts",
  "test/fleet/store.test.ts",
  "test/fleet/limits/{fleet-gate,lease}.test.ts",
  "test/fleet/files.test.ts",
  "test/fleet/files/s3-route.test.ts",
  "packages/sims/test/farm/redis-memory.test.ts",
];
/** One group, so that no core is idle while the last file of one project ends: one computes while another waits. */
const beside = {
  sequence: { groupOrder: 1 },
  // For programs that hang: a busy machine may take its time.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  // Much of their time most of them wait: for a cluster, a lease, a page to draw.
  maxWorkers: 5,
};

/** `unit` is a developer's inner loop; `simulation` takes longer; `system` starts real processes on the built program; `browser` also a chromium; `agents` real agents (`npm run test:agents`), `python` packages of PyPI (`npm run test:python`). */
export default defineConfig({
  test: {
    reporters: ["default", "./scripts/closing-line.ts"],
    // What was transformed once stays until its file changes: half of what the inner loop took to load.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve: { alias },
        test: {
          ...shared,
          name: "unit",
          sequence: { groupOrder: 0 },
          include: ["{test,packages/*/test}/**/*.test.ts"],
          exclude: ["test/{system,browser,agents,python}/**", ...simulations, ...processes],
          // The rooms under test keep no state of their own, so files can share a thread and what it has loaded.
          pool: "threads",
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Vitest itself would leave one core idle.
          maxWorkers: "100%",
        },
      },
      {
        resolve: { alias },
        test: {
          ...shared,
          name: "simulation",
          ...beside,
          include: simulations,
          pool: "threads",
        },
      },
      {
        resolve: { alias },
        test: {
          ...shared,
          name: "system",
          ...beside,
          include: ["test/system/**/*.test.ts", ...processes],
        },
      },
      {
        resolve: { alias },
        test: {
          ...shared,
          name: "agents",
          sequence: { groupOrder: 2 },
          include: ["test/agents/**/*.test.ts"],
          testTimeout: 300_000,
          maxWorkers: 2,
        },
      },
      {
        resolve: { alias },
        test: {
          ...shared,
          name: "python",
          sequence: { groupOrder: 3 },
          include: ["test/python/**/*.test.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          maxWorkers: 2,
        },
      },
      {
        resolve: { alias },
        test: {
          ...shared,
          name: "browser",
          ...beside,
          include: ["test/browser/**/*.test.ts"],
        },
      },
    ],
  },
});
