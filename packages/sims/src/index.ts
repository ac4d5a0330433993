import type { TargetPackage } from "assay/plugin";
import { farm } from "./farm/suite.ts";

/** The simulators that ship with Assay. */
export const sims: TargetPackage = {
  folder: "packages/sims",
  targets: {
    "sched-sim": async () => (await import("./sched-sim/index.ts")).schedSim,
    "fleet-sim": async () => (await import("./fleet-sim/index.ts")).fleetSim,
    learn: async () => (await import("./learn/index.ts")).learn,
    memory_db: async () => (await import("./farm/memory-db.ts")).memoryDb,
    pragma_profile: async () => (await import("./farm/pragma-profile.ts")).pragmaProfile,
    database_profiler: async () => (await import("./farm/database-profiler.ts")).databaseProfiler,
    redis_memory: async () => (await import("./farm/redis-memory/index.ts")).redisMemory,
    observation_flow: async () => (await import("./farm/perception/observation-flow.ts")).observationFlow,
    observation_profiler: async () =>
      (await import("./farm/perception/observation-profiler.ts")).observationProfiler,
    perception_metrics: async () =>
      (await import("./farm/perception/perception-metrics.ts")).perceptionMetrics,
    spatial_comprehensive: async () => (await import("./farm/spatial/comprehensive.ts")).spatialComprehensive,
    spatial_index_profiler: async () =>
      (await import("./farm/spatial/index-profiler.ts")).spatialIndexProfiler,
    spatial_memory_profiler: async () =>
      (await import("./farm/spatial/memory-profiler.ts")).spatialMemoryProfiler,
    spatial_performance_analyzer: async () =>
      (await import("./farm/spatial/performance-analyzer.ts")).spatialPerformanceAnalyzer,
    system_profiler: async () => (await import("./farm/system/system-profiler.ts")).systemProfiler,
  },
  suites: { farm },
  simulator: {
    target: "sched-sim",
    flags: ["disable_hedging", "disable_escalation", "disable_dag_priority"],
    example: "--workflows 50 --policy full",
    paramsToLookAt: { perfetto: true },
    firstStudy: async () => (await import("./sched-sim/first-study.ts")).firstStudy,
  },
};
