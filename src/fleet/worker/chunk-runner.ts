import { errorText } from "../../core/errors.ts";
import type { Job } from "../../core/executor.ts";
import { failed, isFailure } from "../../core/run.ts";
import type { FleetJob } from "../broker/broker.ts";
import { giveBack, setAside } from "../broker/give-back.ts";
import { Lack } from "../code/unpack-code.ts";
import { describeEnvelope, open, Refusal } from "../envelope.ts";
import { limitsOf } from "../limits/labels-of.ts";
import type { Lease, Leases } from "../limits/leases.ts";
import { type ChunkMessage, isRunId } from "../protocol.ts";
import type { Slots } from "../slots.ts";
import type { Rooms } from "./rooms.ts";
import type { StudyRoom } from "./study-room.ts";
import type { Suspects } from "./suspects.ts";
import type { WorkerLog } from "./worker-log.ts";

/** How long a chunk waits here for a slot before others get it. */
const PATIENCE_MS = 2000;
/** What this worker can't run now comes back to the queue after so long, so that others are first. */
const ELSEWHERE_MS = 1000;

export interface ChunkRunnerOptions {
  key: string;
  rooms: Rooms;
  /** For chunks that are here, also those that were fetched ahead. */
  slots: Slots;
  /** For chunks that run. */
  threads: Slots;
  leases: Leases;
  log: WorkerLog;
  suspects: Suspects;
  /** Whether chunks are taken at all now. */
  isTaking(): boolean;
  /** Runs that may still be taken. */
  left(): number;
  /** By so much the server's clock is ahead of this machine's. */
  skewMs(): number;
  /** How long each other worker had been at a run when it was last heard of. */
  lastWords(study: string, runId: string): Promise<number[]>;
}

/** Does what a worker does with a chunk: trusts it or not, runs it, sends what came out. */
export class ChunkRunner {
  readonly #options: ChunkRunnerOptions;
  /** Runs that are let in and have not begun. */
  #admitted = 0;

  constructor(options: ChunkRunnerOptions) {
    this.#options = options;
  }

  async take(job: FleetJob, token: string): Promise<void> {
    const { slots, threads, log, isTaking } = this.#options;
    if (!isTaking()) return giveBack(job, token);
    let study: string;
    let chunk: ChunkMessage;
    try {
      ({ study, body: chunk } = open<ChunkMessage>("chunk", job.data, this.#options.key));
      checkChunk(chunk, job);
      // The server is not asked for its time with every chunk: a heartbeat has told how far ahead it is.
      await this.#options.rooms.checkLaunch(study, chunk.launch, Date.now() + this.#options.skewMs());
    } catch (error) {
      if (error instanceof Refusal && error.why === "version") {
        log.lacks(describeEnvelope(job.data).study, error.message, true);
        return this.#giveBackFor(ELSEWHERE_MS, { job, token });
      }
      log.refused(`job ${job.id}`, errorText(error));
      return setAside(errorText(error));
    }
    if (!(await slots.take(PATIENCE_MS))) return giveBack(job, token);
    let isRunning = false;
    const leave = () => {
      if (isRunning) threads.release();
      isRunning = false;
    };
    try {
      // Of two that were fetched, only one really runs: the other must not be marked if that one kills the worker.
      isRunning = await threads.take(PATIENCE_MS);
      if (!isRunning) return await giveBack(job, token);
      await this.#runTrusted(study, chunk, { job, token, leave });
    } finally {
      leave();
      slots.release();
    }
  }

  /** `leave` is called once nothing of the chunk runs any more, though results may still be on their way. */
  async #runTrusted(
    study: string,
    chunk: ChunkMessage,
    { job, token, leave }: { job: FleetJob; token: string; leave(): void },
  ): Promise<void> {
    const { rooms, log } = this.#options;
    const sender = rooms.sender(study);
    const isSuspect = (job.stalledCounter ?? 0) > 0;
    const left = this.#options.left() - this.#admitted;
    if (left < 1) return giveBack(job, token);
    const { length } = chunk.jobs;
    if (length > 1 && (isSuspect || length > left)) {
      const reason = isSuspect ? "its worker fell silent" : "the worker takes no more runs";
      return sender.send({ returned: { chunk: chunk.id, reason } });
    }
    let place: { room: StudyRoom; lease: Lease } | undefined;
    this.#admitted += length;
    try {
      place = await this.#findPlace(study, chunk, { job, token });
    } finally {
      this.#admitted -= length;
    }
    if (!place)
      return sender.send({
        returned: { chunk: chunk.id, reason: "each of its runs needs a place of its own" },
      });
    const { room, lease } = place;
    const start = performance.now();
    let running = length;
    let released: Promise<void> | undefined;
    const ends = await Promise.allSettled(
      chunk.jobs.map(async (one) => {
        const done = log.begins(study, room.name, one.run.id);
        try {
          const tried = isSuspect ? this.#trySuspect(study, one, room) : room.execute(one);
          const { result, parcel, problem } = await tried.finally(() => {
            if (--running > 0) return;
            leave();
            released = lease.release();
          });
          // What was ended because this worker ends is for others to do.
          if (result.outcome.status === "cancelled" && room.isAborted) throw new Lack("the worker was ended");
          done(isFailure(result.outcome));
          const { id: runId } = one.run;
          await sender.send({
            result: { runId, attempt: one.attempt, chunk: chunk.id, result, ...(parcel && { parcel }) },
          });
          if (problem !== undefined) log.fails(problem);
        } finally {
          done();
        }
      }),
    );
    log.chunkTook(performance.now() - start);
    await released;
    const problem = ends.find((end) => end.status === "rejected");
    if (problem) return this.#decline(study, problem.reason, { job, token });
  }

  /** Where a chunk can run now; undefined where its runs need a place each. What can't run here goes back. */
  async #findPlace(
    study: string,
    chunk: ChunkMessage,
    { job, token }: { job: FleetJob; token: string },
  ): Promise<{ room: StudyRoom; lease: Lease } | undefined> {
    const { rooms, log, leases } = this.#options;
    let room: StudyRoom;
    try {
      room = await rooms.room(study, chunk.setting);
      room.check(chunk);
      log.isAble(study);
    } catch (error) {
      return this.#decline(study, error, { job, token });
    }
    // This worker was frozen, lost the chunk, and has it again while it still runs it.
    if (chunk.jobs.some(({ run }) => room.isRunning(run.id)))
      return this.#giveBackFor(ELSEWHERE_MS, { job, token });
    if (chunk.jobs.length > 1 && room.limits.length > 0) return undefined;
    const lease = await leases.take(study, limitsOf(room.limits, chunk.jobs[0]?.run.params ?? {}));
    return "release" in lease ? { room, lease } : this.#giveBackFor(lease.againMs, { job, token });
  }

  /** A run that was lost with its worker is tried again; one that killed too many is not. */
  async #trySuspect(study: string, job: Job, room: StudyRoom): ReturnType<StudyRoom["execute"]> {
    const { suspects } = this.#options;
    const { id } = job.run;
    const deaths = await suspects.deathsOf(study, id);
    if (deaths >= room.mostDeaths) {
      await suspects.clear(study, id);
      const outcome = failed("infrastructure", `parked: ${deaths} workers fell silent while they ran it`);
      return { result: { outcome, metrics: {}, startedAtMs: Date.now(), wallMs: 0 } };
    }
    await suspects.mark(study, id, deaths);
    try {
      const heard = await this.#options.lastWords(study, id);
      const times = heard.length === 0 ? [0] : heard;
      const tried = await room.execute({ ...job, cut: times.length });
      const reason = `${deaths === 1 ? "a worker" : `${deaths} workers`} fell silent while running it`;
      tried.result.lost ??= times.map((wallMs) => ({ reason, wallMs }));
      return tried;
    } finally {
      await suspects.clear(study, id);
    }
  }

  /** After a while, so that others are first. */
  #giveBackFor(delayMs: number, { job, token }: { job: FleetJob; token: string }): Promise<never> {
    return giveBack(job, token, { delayMs, skewMs: this.#options.skewMs() });
  }

  /** Not here: another worker may have what this one lacks. What is wrong with the machine ends the worker. */
  #decline(study: string, error: unknown, { job, token }: { job: FleetJob; token: string }): Promise<never> {
    const { log } = this.#options;
    if (error instanceof Refusal && error.why !== "version") {
      log.refused(`job ${job.id}`, error.message);
      return setAside(error.message);
    }
    log.lacks(study, errorText(error), error instanceof Lack || error instanceof Refusal);
    return this.#giveBackFor(ELSEWHERE_MS, { job, token });
  }
}

function checkChunk(chunk: ChunkMessage, job: FleetJob): void {
  if (chunk.id !== job.id) throw new Refusal("content", `it is signed as ${chunk.id}`);
  const bad = chunk.jobs.find(({ run }) => !isRunId(run?.id));
  if (bad) throw new Refusal("path", `the run id ${JSON.stringify(bad.run?.id)} would leave its folder`);
}
