import { GCProfiler, getHeapStatistics } from "node:v8";
import type { Instrument } from "./instrument.ts";

/**
 * Allocations and garbage collections on the thread. V8's own profiler of collections tells at once what each one
 * freed and how long it stopped the thread; a PerformanceObserver would tell of them only after a body that does
 * not wait has ended. What was allocated is what the heap grew by, plus what collections freed meanwhile.
 */
export const heap: Instrument = {
  name: "heap",
  description: "bytes allocated on the heap, garbage collections and their pauses; modules only",
  start() {
    const profiler = new GCProfiler();
    profiler.start();
    const before = getHeapStatistics().used_heap_size;
    return () => {
      const after = getHeapStatistics().used_heap_size;
      const { statistics = [] } = profiler.stop() ?? {};
      let freedBytes = 0;
      let pauseUs = 0;
      let longestUs = 0;
      for (const { beforeGC, afterGC, cost } of statistics) {
        freedBytes += beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize;
        pauseUs += cost;
        longestUs = Math.max(longestUs, cost);
      }
      return {
        heap_allocated_bytes: Math.max(0, after - before + freedBytes),
        heap_used_bytes: after,
        gc_count: statistics.length,
        gc_pause_ms: pauseUs / 1000,
        gc_longest_pause_ms: longestUs / 1000,
      };
    };
  },
};
