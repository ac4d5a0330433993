import { step } from "../../packages/sims/src/farm/world/step.ts";
import { createWorld } from "../../packages/sims/src/farm/world/world.ts";

/** So many agent steps of one world in a process of its own, by the wall clock and by processor time. */
const params = JSON.parse(process.argv[2] ?? "{}") as { num_agents?: number };
const wanted = Number(process.argv[3] ?? 1_000_000);

const world = createWorld(params, 42);

function run(agentSteps: number): number {
  let done = 0;
  while (done < agentSteps && world.count > 0) {
    done += world.count;
    step(world);
  }
  return done;
}

run(wanted / 10); // the compiler's turn
const cpu = process.cpuUsage();
const startMs = performance.now();
const agentSteps = run(wanted);
const seconds = (performance.now() - startMs) / 1000;
const { user, system } = process.cpuUsage(cpu);
console.log(JSON.stringify({ agentSteps, seconds, cpuSeconds: (user + system) / 1e6 }));
