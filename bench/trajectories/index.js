// Reading trajectories: what finding the facts costs on top of parsing JSON, and whether memory grows with the folder.
// Alone: npm run bench -- trajectories
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { build } from "esbuild";
import { assay, inTurn, peakMegabytes, root, row, scratch } from "../support/measure.js";
import { makeFiles } from "./make-files.js";

const FILES = 1000;
const FEW = 2000;
const MANY = 8000;
const ROUNDS = 5;

export default async function measure() {
  const dir = scratch("trajectories");
  const note = makeFiles(join(dir, "files"), FILES);
  const script = join(dir, "read.mjs");
  await build({
    entryPoints: [join(root, "bench/trajectories/read.ts")],
    ...{ bundle: true, format: "esm", platform: "node", outfile: script, logLevel: "error" },
  });
  const rows = ["memory", "disk"].map((where) => {
    const take = (who) => () =>
      Number(execFileSync(process.execPath, [script, who, where, join(dir, "files")], { encoding: "utf8" }));
    const times = inTurn(ROUNDS, { ours: take("ours"), parse: take("parse") });
    const name = `${FILES} trajectories, ${where === "disk" ? "read from disk" : "in memory"}`;
    return { ...row(name, times.ours, times.parse, { rival: "JSON.parse alone", most: 1.5 }), note };
  });
  makeFiles(join(dir, "few"), FEW);
  makeFiles(join(dir, "many"), MANY);
  const peak = (folder) => () =>
    peakMegabytes(process.execPath, [assay, "traj", join(dir, folder), "--json"]);
  const memory = inTurn(3, { few: peak("few"), many: peak("many") });
  const flat = row(`memory of ${MANY} trajectories`, memory.many, memory.few, {
    ...{ rival: `of ${FEW}`, most: 1.25, unit: "MB" },
  });
  return [...rows, { ...flat, note }];
}
