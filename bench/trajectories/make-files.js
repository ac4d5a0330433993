import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/measure.js";

const REAL = join(root, "../shared/data/trajectories");

/** A folder of so many trajectories, real ones where there are some. All but the first of a kind are links, for the disk's sake. */
export function makeFiles(dir, count) {
  mkdirSync(dir, { recursive: true });
  const isReal = existsSync(REAL);
  const names = isReal ? readdirSync(REAL) : ["short.traj", "long.traj"];
  for (let i = 0; i < count; i++) {
    const name = names[i % names.length];
    const path = join(dir, `${i}-${name}`);
    if (i >= names.length) linkSync(join(dir, `${i % names.length}-${name}`), path);
    else if (isReal) copyFileSync(join(REAL, name), path);
    else writeFileSync(path, madeUp(name === "long.traj" ? 80 : 12));
  }
  return isReal ? "real files, repeated" : "made-up files";
}

function madeUp(turns) {
  const trajectory = Array.from({ length: turns }, (_, i) => ({
    action: `sed -n '${i},${i + 40}p' module_${i}.py`,
    observation: Array.from({ length: 40 }, (_, line) => `${i + line}: value = "${line}"\n`).join(""),
    thought: `The fault may be in module ${i}; I read on.`,
    execution_time: 0.2,
    state: {},
    query: [],
    turn_statistics: {
      cost: 0.01,
      tokens: { raw_input: 900, cached_input: 2000, output: 60, internal_reasoning: 0 },
    },
  }));
  const info = {
    exit_status: "submitted",
    submission: "diff",
    model_stats: { instance_cost: 1, api_calls: turns },
  };
  return JSON.stringify({ environment: "a__b-1", trajectory, history: [], info });
}
