import type { FleetLimit, FleetStudy, FleetWorker } from "../core/fleet-view.ts";
import type { FleetQueue } from "./broker/broker.ts";
import type { Store } from "./broker/store.ts";
import { BUCKET } from "./limits/limit.ts";
import { KEYS, resultsQueue } from "./protocol.ts";
import type { WorkerRecord } from "./registry.ts";
import type { StudyNote } from "./study-notes.ts";

const MOST_REFUSALS = 3;

export function viewWorker(
  record: WorkerRecord & { isAlive: boolean },
  names: Map<string, string>,
): FleetWorker {
  const { id, host, pid, version, jobs, cores, memoryMb, labels, startedAtMs, seenAtMs, done, failed } =
    record;
  const lacks = Object.entries(record.lacks).map(([study, what]) => `${names.get(study) ?? study}: ${what}`);
  const notes = [
    ...(record.problem ? [record.problem] : []),
    ...lacks,
    ...record.refusals.slice(-MOST_REFUSALS),
  ];
  return {
    ...{ id, host, pid, version, jobs, cores, memoryMb, labels, startedAtMs, seenAtMs, done, failed },
    // One that was refused has ended: its silence is no news.
    state: record.isAlive || record.state === "refused" ? record.state : "silent",
    doing: record.doing.map(({ name, run, sinceMs }) => ({ study: name, run, sinceMs })),
    perMinute: record.isAlive ? (record.perMinute ?? 0) : 0,
    notes: [...new Set(notes)],
  };
}

interface StudyOptions {
  nowMs: number;
  silentMs: number;
  queueOf(name: string): FleetQueue;
}

export function viewStudies(
  notes: StudyNote[],
  { nowMs, silentMs, queueOf }: StudyOptions,
): Promise<FleetStudy[]> {
  return Promise.all(
    notes.map(async ({ id, name, host, state, total, ended, failed, startedAtMs, seenAtMs }) => ({
      ...{ name, host, total, ended, failed, startedAtMs },
      state: nowMs - seenAtMs < silentMs ? state : ("away" as const),
      resultsWaiting: await queueOf(resultsQueue(id)).getJobCountByTypes("wait", "prioritized"),
    })),
  );
}

/** The narrowest bound of each label over all studies, and who is under it. */
export async function viewLimits(notes: StudyNote[], store: Store): Promise<FleetLimit[]> {
  const all = notes.flatMap(({ limits }) => limits);
  const [labels, nowMs] = [[...new Set(all.map(({ label }) => label))].sort(), await store.nowMs()];
  return Promise.all(
    labels.map(async (label) => {
      const fields = Object.entries(await store.fields(KEYS.limit(label)));
      const own = all.filter((limit) => limit.label === label);
      return {
        label,
        concurrent: least(own.map(({ concurrent }) => concurrent)),
        perMinute: least(own.map(({ perMinute }) => perMinute)),
        underWay: fields.filter(([name, untilMs]) => name !== BUCKET && Number(untilMs) > nowMs).length,
      };
    }),
  );
}

function least(bounds: (number | undefined)[]): number | null {
  const known = bounds.filter((bound) => bound !== undefined);
  return known.length > 0 ? Math.min(...known) : null;
}
