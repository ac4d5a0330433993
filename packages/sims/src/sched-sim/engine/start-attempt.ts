import { ATTEMPT_START } from "../trace/trace-log.ts";
import { ATTEMPT_ENDS, HEDGE_DUE } from "./event-type.ts";
import { HEDGE } from "./workflow-table.ts";
import type { World } from "./world.ts";

const key = { workflow: 0, node: 0, attempt: 0 };

/** Takes a slot and a token; asks fate how it ends; plans the end and, perhaps, the hedge. */
export function startAttempt(world: World, place: number, lane: number, index: number): void {
  const { attempts, table, graph, nowUs, fate, tally, events } = world;
  const station = world.stations[index]!;
  const workflow = table.workflowOf(place);
  const local = place % graph.size;
  const waitedUs = nowUs - table.queuedUs[2 * place + lane]!;
  const slot = station.begin(nowUs, waitedUs);
  world.estimates.addWait(graph.types[local]!, index, waitedUs);
  table.lanes[2 * place + lane] = -(slot + 1);

  key.workflow = workflow;
  key.node = table.nodeNumber(place);
  key.attempt = 2 * table.tries[place]! + lane;
  fate.ofAttempt(key, graph.types[local]!, graph.pdfs[local]!, station);
  attempts.place[slot] = place;
  attempts.lane[slot] = lane;
  attempts.startedUs[slot] = nowUs;
  attempts.ending[slot] = fate.ending;

  tally.attemptsStarted++;
  if (lane === HEDGE) tally.hedgesStarted++;
  else if (station.isDearer) tally.escalations++;
  world.trace?.add(ATTEMPT_START, nowUs, workflow, key.node, slot, key.attempt);

  const { durationUs } = fate;
  const generation = attempts.generation[slot]!;
  events.push(nowUs + durationUs, ATTEMPT_ENDS, slot, generation);
  if (lane === HEDGE || station.isLocal) return;
  const hedgeAfterUs = world.decisions.hedgeAfterUs(place, index, nowUs);
  // The policy doesn't know the duration; this only saves events that would find the attempt gone.
  if (hedgeAfterUs < durationUs) events.push(nowUs + hedgeAfterUs, HEDGE_DUE, slot, generation);
}
