import type { FleetClass, FleetLimit, FleetStudy, FleetTrouble, FleetWorker } from "../core/fleet-view.ts";
import type { FleetJob, FleetQueue } from "./broker/broker.ts";
import type { Store } from "./broker/store.ts";
import { describeEnvelope } from "./envelope.ts";
import { BUCKET } from "./limits/limit.ts";
import { lackOf, type Needs } from "./needs.ts";
import { KEYS, resultsQueue } from "./protocol.ts";
import type { WorkerRecord } from "./registry.ts";
import type { StudyNote } from "./study-notes.ts";

/** Of each kind, in each queue: whoever looks must not burden the queue. */
const MOST_LOOKED_AT = 50;
const MOST_SHOWN = 20;

type QueueOf = (name: string) => FleetQueue;

/** What waits in each queue; those without anything are left out. */
export async function viewClasses(
  store: Store,
  queueOf: QueueOf,
  workers: (WorkerRecord & { isAlive: boolean })[],
): Promise<FleetClass[]> {
  const classes = Object.entries(await store.fields(KEYS.classes));
  const views = await Promise.all(
    classes.map(async ([name, text]) => {
      const needs = JSON.parse(text) as Needs;
      const counts = await queueOf(name).getJobCounts("wait", "prioritized", "delayed", "active");
      const { wait = 0, prioritized = 0, delayed = 0, active = 0 } = counts;
      const able = workers.filter((one) => one.isAlive && one.state === "running" && !lackOf(needs, one));
      return {
        needs: needsText(needs),
        waiting: wait + prioritized,
        delayed,
        underWay: active,
        workers: able.length,
      };
    }),
  );
  return views.filter(({ waiting, delayed, underWay }) => waiting + delayed + underWay > 0);
}

/** Chunks that were lost by a worker, runs that were parked for it, messages that were refused. */
export async function viewTroubles(
  store: Store,
  queueOf: QueueOf,
  notes: StudyNote[],
): Promise<FleetTrouble[]> {
  const names = new Map(notes.map(({ id, name }) => [id, name]));
  const parked = notes.flatMap(({ name, parked: runs }) =>
    runs.map(({ run, reason }): FleetTrouble => ({ kind: "parked", study: name, what: run, why: reason })),
  );
  const troubles = await Promise.all(
    Object.keys(await store.fields(KEYS.classes)).map(async (name) => {
      const queue = queueOf(name);
      const [open, refused] = await Promise.all([
        queue.getJobs(["active", "wait"], 0, MOST_LOOKED_AT - 1),
        queue.getJobs(["failed"], 0, MOST_SHOWN - 1),
      ]);
      const stalled = open
        .filter((job) => (job?.stalledCounter ?? 0) > 0)
        .map((job) => viewStalled(job, names));
      return [...stalled, ...refused.map((job) => viewRefused(job, names))];
    }),
  );
  return [...parked, ...troubles.flat()].slice(0, MOST_SHOWN);
}

function viewStalled(job: FleetJob, names: Map<string, string>): FleetTrouble {
  const deaths = job.stalledCounter;
  const why = deaths === 1 ? "its worker fell silent" : `${deaths} workers fell silent while they ran it`;
  return { kind: "stalled", ...placeOf(job, names), why };
}

function viewRefused(job: FleetJob, names: Map<string, string>): FleetTrouble {
  return { kind: "refused", ...placeOf(job, names), why: job.failedReason ?? "no reason was given" };
}

function placeOf(job: FleetJob, names: Map<string, string>): { study: string; what: string } {
  try {
    const { study, what } = describeEnvelope(job.data);
    return { study: names.get(study) ?? study, what };
  } catch {
    return { study: "", what: `message ${job.id}` };
  }
}

function needsText({ cores, memoryMb, labels = [], ownCode, protocol }: Needs): string {
  const words = [
    cores !== undefined && `${cores} core${cores === 1 ? "" : "s"}`,
    memoryMb !== undefined && `${memoryMb} MB`,
    labels.length > 0 && `label${labels.length === 1 ? "" : "s"} ${labels.join(", ")}`,
    ownCode && "own code",
    protocol !== undefined && `protocol ${protocol}`,
  ].filter(Boolean);
  return words.join(", ") || "nothing";
}

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
