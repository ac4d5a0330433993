// @ts-check
// Everything that the command line does, from a program: run a study, watch it, ask its results in SQL.
// Run it: node examples/api/compare.mjs
import { fileURLToPath } from "node:url";
import { collect, queryStudy, runStudy } from "assay";

const file = fileURLToPath(new URL("study.yaml", import.meta.url));

/** @type {import("assay").Sink} */
const narrator = {
  handle(event) {
    if (event.kind === "ended") console.log(`${event.record.id}: ${event.record.outcome.status}`);
  },
};

const { summary, studyDir } = await runStudy(file, {
  outRoot: process.argv[2] ?? "bench_runs",
  sinks: [narrator],
});
console.log(`${summary.ok} ok, ${summary.skipped} done before, of ${summary.total}`);

const { path, rows } = collect(studyDir);
console.log(`${rows} rows in ${path}`);

const means = await queryStudy(
  studyDir,
  "SELECT value, count(*) AS runs, min(wall_time_s) >= 0 AS is_timed FROM runs GROUP BY value ORDER BY value",
);
console.log(JSON.stringify(means.rows));
