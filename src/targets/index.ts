import type { Target } from "./target.ts";

/** The targets that ship with Assay, each loaded when it is used. */
export const shippedTargets: Readonly<Record<string, () => Promise<Target>>> = {
  "sched-sim": async () => (await import("./sched-sim/index.ts")).schedSim as unknown as Target,
  "fleet-sim": async () => (await import("./fleet-sim/index.ts")).fleetSim as unknown as Target,
  learn: async () => (await import("./learn/index.ts")).learn as unknown as Target,
  memory_db: async () => (await import("./farm/memory-db/index.ts")).memoryDb as unknown as Target,
  pragma_profile: async () =>
    (await import("./farm/pragma-profile/index.ts")).pragmaProfile as unknown as Target,
  database_profiler: async () =>
    (await import("./farm/database-profiler/index.ts")).databaseProfiler as unknown as Target,
  redis_memory: async () => (await import("./farm/redis-memory/index.ts")).redisMemory as unknown as Target,
  observation_flow: async () =>
    (await import("./farm/perception/observation-flow.ts")).observationFlow as unknown as Target,
  observation_profiler: async () =>
    (await import("./farm/perception/observation-profiler.ts")).observationProfiler as unknown as Target,
  perception_metrics: async () =>
    (await import("./farm/perception/perception-metrics.ts")).perceptionMetrics as unknown as Target,
  spatial_comprehensive: async () =>
    (await import("./farm/spatial/comprehensive.ts")).spatialComprehensive as unknown as Target,
  spatial_index_profiler: async () =>
    (await import("./farm/spatial/index-profiler.ts")).spatialIndexProfiler as unknown as Target,
  spatial_memory_profiler: async () =>
    (await import("./farm/spatial/memory-profiler.ts")).spatialMemoryProfiler as unknown as Target,
  spatial_performance_analyzer: async () =>
    (await import("./farm/spatial/performance-analyzer.ts")).spatialPerformanceAnalyzer as unknown as Target,
  system_profiler: async () =>
    (await import("./farm/system/system-profiler.ts")).systemProfiler as unknown as Target,
  agent: async () => (await import("./agent/index.ts")).agent as unknown as Target,
  rollout: async () => (await import("./rollout/index.ts")).rollout as unknown as Target,
  noop: async () => (await import("./noop.ts")).noop as Target,
};
