import type { Suite } from "assay/plugin";

/** Ways to log a simulation into a database, the safest first. */
export const farm: Suite = {
  about: "about a minute: which database to log a simulation into",
  spec: "specs/recommend_farm.yaml",
  metric: "total_ms",
  candidates: [
    {
      name: "defaults-each-step",
      what: "on the disk with SQLite's defaults, every step committed",
      risk: "a power cut loses nothing that was committed",
    },
    {
      name: "wal-each-step",
      what: "on the disk with a write-ahead log, every step committed",
      risk: "a crash of the program loses nothing, a power cut the last steps",
    },
    {
      name: "defaults",
      what: "on the disk with SQLite's defaults, 10 steps a commit",
      risk: "a crash loses up to 10 steps",
    },
    {
      name: "wal",
      what: "on the disk with a write-ahead log, 10 steps a commit",
      risk: "a crash loses up to 10 steps, a power cut some more",
    },
    {
      name: "persisted",
      what: "in memory, persisted on completion",
      risk: "a crash before the end loses everything",
    },
  ],
  words: { use: "log", mean: "ms a simulation" },
};
