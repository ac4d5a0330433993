import { simulate } from "../../packages/sims/src/sched-sim/index.ts";
import { paramsSchema, type SimInput } from "../../packages/sims/src/sched-sim/params.ts";

/** One run of the whole model in a process of its own: its speed and the most memory it ever held. */
const params = JSON.parse(process.argv[2] ?? "{}") as SimInput;
const startMs = performance.now();
const { summary } = simulate(paramsSchema.parse({ trace: false, ...params }), 1);
const seconds = (performance.now() - startMs) / 1000;
const peakMb = process.resourceUsage().maxRSS / 1024;
console.log(
  JSON.stringify({ seconds, events: summary.events, peakMb, finished: summary.workflows_finished }),
);
