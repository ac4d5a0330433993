// Prints the seconds that it takes to read a folder of trajectories: `ours` or `parse` (JSON.parse alone), with the
// files in memory or read from disk.
import { readdirSync, readFileSync } from "node:fs";
import { summariseFile } from "../../src/analysis/trajectories/summarise-file.ts";
import { readTrajectories } from "../../src/api/read-trajectories.ts";
import { parseTrajectory } from "../../src/archive/trajectories/read-trajectory-file.ts";

const [who, where, dir = "."] = process.argv.slice(2);
const names = readdirSync(dir);
const texts = where === "memory" ? names.map((name) => readFileSync(`${dir}/${name}`, "utf8")) : [];
let kept: unknown;

function readAll(): void {
  if (where === "disk" && who === "ours") {
    let rows = 0;
    kept = readTrajectories([dir], () => rows++);
  } else if (where === "disk") {
    for (const name of names) kept = JSON.parse(readFileSync(`${dir}/${name}`, "utf8"));
  } else if (who === "ours") {
    for (const [i, text] of texts.entries()) {
      const read = parseTrajectory(text, names[i]!);
      if ("trajectory" in read) kept = summariseFile(read.trajectory);
    }
  } else for (const text of texts) kept = JSON.parse(text);
}

readAll();
const start = performance.now();
readAll();
console.log((performance.now() - start) / 1000);
if (kept === undefined) process.exitCode = 1;
