import type { RunTable } from "../../src/reporters/study-view.ts";

/** Six runs of two policies; one failed and has no score. */
export const runs: RunTable = {
  count: 6,
  columns: [
    {
      name: "run",
      role: "id",
      kind: "text",
      words: ["r1", "r2", "r3", "r10", "r5", "r6"],
      codes: [0, 1, 2, 3, 4, 5],
    },
    { name: "policy", role: "param", kind: "text", words: ["fifo", "full"], codes: [0, 1, 0, 1, 0, 1] },
    { name: "max depth", role: "param", kind: "number", unit: null, values: [1, 1, 2, 2, 3, 3] },
    { name: "status", role: "status", kind: "text", words: ["ok", "failed"], codes: [0, 0, 0, 1, 0, 0] },
    {
      ...{ name: "reason", role: "reason", kind: "text" },
      ...{ words: ["", "out of memory: = 9 GB"], codes: [0, 0, 0, 1, 0, 0] },
    },
    { name: "score", role: "metric", kind: "number", unit: "s", values: [0.5, 2, 0.25, null, 8, 4] },
  ],
};
