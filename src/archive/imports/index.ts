import { asv, pytestBenchmark } from "./benchmarks.ts";
import { harbor } from "./harbor.ts";
import type { ImportReader } from "./import-reader.ts";
import { inspectEval, inspectJson } from "./inspect.ts";
import { openHands } from "./openhands.ts";
import { resolvedList, resolvedMap } from "./resolved-lists.ts";
import { sweBenchInstance, sweBenchRun } from "./swe-bench.ts";
import { terminalBench } from "./terminal-bench.ts";

/** The first that claims a file reads it: those that know theirs by the name come first. */
export const importReaders: readonly ImportReader[] = [
  harbor,
  terminalBench,
  inspectEval,
  openHands,
  sweBenchInstance,
  pytestBenchmark,
  asv,
  inspectJson,
  sweBenchRun,
  resolvedMap,
  resolvedList,
];
