// Our uniform grid against flatbush, kdbush, rbush and d3-quadtree: 20,000 agents that all move, uniform and clustered.
// All answer exactly the same (packages/sims/test/farm/spatial); they take turns, so drift hits all alike.
// Alone: node bench/spatial/index.js
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { root, scratch } from "../support/measure.js";

const AGENTS = 20_000;
const WORLD = 1000;
const RADIUS = 20;
const NEIGHBORS = 8;
const QUERIES = 1000;
const ROUNDS = 20;
const RIVALS = { flatbush: "flatbush", kd_tree: "kdbush", rbush: "rbush", quadtree: "d3-quadtree" };

export default async function measure() {
  const { spatialIndexes, Crowd } = await load();
  const out = new Uint32Array(AGENTS);
  const rows = [];
  for (const distribution of ["uniform", "clustered"]) {
    const crowd = new Crowd({ agents: AGENTS, worldSize: WORLD, distribution, movingShare: 1, seed: 1 });
    const { x, y } = crowd.points;
    const indexes = Object.fromEntries(
      ["spatial_hash", ...Object.keys(RIVALS)].map((name) => [name, spatialIndexes[name]()]),
    );
    const ask = (query) => {
      for (let i = 0; i < QUERIES; i++) query((i * 7919) % AGENTS);
    };
    const tasks = {
      build: (index) => index.build(crowd.points),
      update: (index) => index.update(crowd.moved, crowd.points),
      range: (index) => ask((at) => index.range(x[at], y[at], RADIUS, out)),
      nearest: (index) => ask((at) => index.nearest(x[at], y[at], NEIGHBORS, out)),
    };
    for (const [task, work] of Object.entries(tasks)) {
      const ms = fastest(indexes, work, task === "update" ? () => crowd.step() : () => {});
      for (const [name, rival] of Object.entries(RIVALS)) {
        rows.push(compare(`${task}, ${distribution}`, ms, { name, rival }));
      }
    }
  }
  return rows;
}

/**
 * The fastest of some rounds of each, in milliseconds: on a busy machine single rounds are interrupted, and the first
 * ones run code that is not yet compiled. All see the same agents: they move once a round.
 */
function fastest(indexes, work, move) {
  const best = {};
  for (let round = 0; round < ROUNDS; round++) {
    move();
    for (const [name, index] of Object.entries(indexes)) {
      const start = performance.now();
      work(index);
      best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, performance.now() - start);
    }
  }
  return best;
}

function compare(task, ms, { name, rival }) {
  const ratio = ms.spatial_hash / ms[name];
  // Cells of one size suit heaps less: there a tree may win a little.
  const most = task.endsWith("clustered") ? 1 : 1;
  return {
    name: `spatial ${task}`,
    ours: `${ms.spatial_hash.toPrecision(3)} ms`,
    rival: `${rival} ${ms[name].toPrecision(3)} ms`,
    ratio: ratio.toFixed(2),
    target: `<= ${most}`,
    ok: ratio <= most,
    note: task.startsWith("range") || task.startsWith("nearest") ? `${QUERIES} queries` : `${AGENTS} agents`,
  };
}

async function load() {
  const dir = scratch("spatial");
  const bundle = async (path, name) => {
    const outfile = join(dir, name);
    const entryPoints = [join(root, "packages/sims/src/farm/spatial", path)];
    await build({ entryPoints, bundle: true, format: "esm", platform: "node", outfile, logLevel: "error" });
    return import(pathToFileURL(outfile).href);
  };
  return { ...(await bundle("indexes/index.ts", "indexes.mjs")), ...(await bundle("crowd.ts", "crowd.mjs")) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await measure());
