import type { Executor, Job, Setting } from "../../core/executor.ts";
import { type Attempt, failed, type Outcome } from "../../core/run.ts";
import { readAddress } from "../../fleet/address.ts";
import { type Broker, type FleetQueue, openBroker, proveKey } from "../../fleet/broker/broker.ts";
import { isAway } from "../../fleet/broker/persist.ts";
import { openRoute } from "../../fleet/files/index.ts";
import { readFleetKey } from "../../fleet/fleet-key.ts";
import { LaunchProof } from "../../fleet/launch-proof.ts";
import { openPurse, type StudyPurse } from "../../fleet/limits/purse.ts";
import { KEYS, resultsQueue } from "../../fleet/protocol.ts";
import { Registry } from "../../fleet/registry.ts";
import { unstarted } from "../task.ts";
import { type Adopted, ChunkNotes, ChunkSize, readAdopted } from "./chunks.ts";
import { FleetWatch, Notices } from "./fleet-watch.ts";
import { Inbox } from "./inbox.ts";
import { Outbox } from "./outbox.ts";
import { findLost, type Outstanding, OutstandingRuns, PutOff } from "./outstanding.ts";
import { Publisher } from "./publisher.ts";
import { StudyBeat } from "./study-beat.ts";
import { studyId } from "./study-id.ts";

const LOOK_MS = 1000;
const CHECK_MS = 3000;
const IN_USE_MS = 3600_000;
const RENEW_MS = 60_000;
/** Runs between here and the workers: what bounds the memory of coordinator and queue. */
const MOST_OUTSTANDING = 16_384;
/** A run whose chunks were set aside so often has failed. */
const MOST_REFUSALS = 3;

interface Parts {
  broker: Broker;
  study: string;
  key: string;
  setting: Setting;
  publisher: Publisher;
  proof: LaunchProof;
  outstanding: OutstandingRuns;
  watch: FleetWatch;
  beat: StudyBeat;
  notices: Notices;
  purse: StudyPurse | undefined;
  adopted: Adopted;
}

/**
 * Sends runs to workers on any machine. Below, a run may be delivered more than once; above, it has one identity, and
 * the first result that comes for it is its result.
 */
export class QueueExecutor implements Executor {
  readonly name = "queue";
  readonly #parts: Parts;
  readonly #size: ChunkSize;
  readonly #outbox: Outbox;
  readonly #inbox: Inbox;
  readonly #notes: ChunkNotes;
  readonly #results: FleetQueue;
  readonly #timers: NodeJS.Timeout[];
  readonly #isPaced: boolean;
  readonly #putOff = new PutOff();
  #signal: AbortSignal | undefined;
  #isChecking = false;
  #fatal: unknown;

  private constructor(parts: Parts, route: Awaited<ReturnType<typeof openRoute>>) {
    const { broker, study, key, setting, publisher, proof, outstanding, watch, notices } = parts;
    this.#parts = parts;
    // Nothing waits in the queue where what has ended decides over what comes next: a search, a budget.
    this.#isPaced = setting.env.ASSAY_RUNNER !== undefined || setting.limits.costUsd !== undefined;
    const isLimited = (setting.queue?.limits ?? []).length > 0 || this.#isPaced;
    this.#size = new ChunkSize({ hasFolders: setting.artifacts === "all", isLimited });
    this.#outbox = new Outbox({
      broker,
      key,
      study,
      launch: proof.launch,
      publisher,
      outstanding,
      priority: setting.queue?.priority ?? 0,
      size: () => this.#size.now,
      slots: () => Math.max(1, watch.slots),
      onError: (error) => this.#abandon(error),
    });
    this.#notes = new ChunkNotes({ queue: this.#outbox.queue, store: broker.store, study });
    this.#inbox = new Inbox({
      broker,
      key,
      study,
      route,
      outstanding,
      say: notices.say,
      later: (work) => this.#notes.later(work),
      studyDir: setting.studyDir,
      onReturned: (chunk) => this.#requeue(chunk),
      onRefused: (error) => this.#abandon(error),
      onLanded: ({ wallMs, emptied }) => {
        this.#size.learn(wallMs);
        if (emptied.length > 0) this.#notes.forget(emptied);
      },
    });
    this.#results = broker.queue(resultsQueue(study));
    this.#timers = [
      setInterval(() => void parts.beat.beat(), LOOK_MS),
      setInterval(() => void watch.look().catch(() => {}), LOOK_MS),
      setInterval(() => void this.#check(), CHECK_MS),
      setInterval(() => void publisher.sayInUse().catch(() => {}), IN_USE_MS),
      setInterval(() => void proof.renew().catch(() => {}), RENEW_MS),
    ];
  }

  static async create(setting: Setting): Promise<QueueExecutor> {
    const key = readFleetKey();
    const broker = await openBroker(readAddress(process.env.ASSAY_QUEUE), key);
    const { store } = broker;
    try {
      const study = studyId(setting.studyDir, setting.env.ASSAY_RUNNER);
      const route = await openRoute(setting.queue?.files ?? "queue", store);
      const publisher = await Publisher.create({ broker, key, study, setting });
      const proof = await LaunchProof.create({ store, key, study });
      const purse = await openPurse(store, study, setting);
      await store.delete([KEYS.cancels(study)]);
      const adopted = await readAdopted(store, study);
      const notices = new Notices();
      const told = { needs: publisher.needs, say: notices.say, label: broker.label };
      const watch = new FleetWatch({ registry: new Registry(store), study, ...told });
      await watch.look();
      const beat = new StudyBeat(store, study, setting);
      const outstanding = new OutstandingRuns();
      return new QueueExecutor(
        { broker, study, key, setting, publisher, proof, outstanding, watch, beat, notices, purse, adopted },
        route,
      );
    } catch (error) {
      await broker.close();
      throw error;
    }
  }

  /** Enough that no worker waits: two chunks for each run that the fleet can do at once, four while they are short. */
  get capacity(): number {
    const slots = Math.max(1, this.#parts.watch.slots);
    const size = this.#size.now;
    // What an earlier coordinator had under way takes no worker's time here.
    const known = this.#parts.adopted.size + this.#inbox.early;
    const chunks = this.#isPaced ? 1 : size > 1 ? 4 : 2;
    return Math.min(MOST_OUTSTANDING, slots * size * chunks + known);
  }

  get lateCostUsd(): number {
    return this.#inbox.lateCostUsd;
  }

  execute(job: Job, signal: AbortSignal): Promise<Attempt> {
    this.#listenTo(signal);
    if (signal.aborted) return Promise.resolve(unstarted({ status: "cancelled" }));
    if (this.#fatal !== undefined) return Promise.reject(this.#fatal);
    const { outstanding, adopted, beat } = this.#parts;
    const learn = (attempt: Attempt) => {
      beat.learn(job.run.id, attempt);
      return attempt;
    };
    const before = adopted.get(job.run.id);
    adopted.delete(job.run.id);
    const claimed = this.#inbox.claim(job);
    if (claimed) return claimed.then(learn);
    return new Promise((resolve, reject) => {
      const chunk = before?.attempt === job.attempt ? before.chunk : undefined;
      const end = (attempt: Attempt) => resolve(learn(attempt));
      const one: Outstanding = { job, chunk, refusals: 0, resolve: end, reject };
      outstanding.add(one);
      if (chunk === undefined) this.#outbox.push(one);
    });
  }

  cancel(runId: string, outcome: Outcome): void {
    const { outstanding } = this.#parts;
    const one = outstanding.get(runId);
    if (!one) return;
    this.#outbox.takeBackRun(runId);
    const { emptied } = outstanding.remove(runId);
    one.resolve(unstarted(outcome));
    if (one.chunk === undefined) return;
    if (emptied !== undefined) this.#notes.later(this.#notes.withdraw(emptied));
    this.#notes.order({ [runId]: outcome.reason ?? outcome.status });
  }

  listen(onNotice: (text: string) => void): void {
    this.#parts.notices.listen(onNotice);
  }

  drain(): void {
    for (const one of this.#outbox.takeBack()) this.#end(one, { status: "skipped" });
    const { outstanding } = this.#parts;
    for (const chunk of outstanding.chunks) {
      const withdrawn = this.#notes.withdraw(chunk).then((isWithdrawn) => {
        if (isWithdrawn) for (const one of outstanding.runsOf(chunk)) this.#end(one, { status: "skipped" });
      });
      this.#notes.later(withdrawn);
    }
  }

  async close(): Promise<void> {
    const { broker, outstanding } = this.#parts;
    for (const timer of this.#timers) clearInterval(timer);
    const isDone = outstanding.size === 0 && this.#fatal === undefined;
    try {
      await this.#inbox.close();
      this.#notes.later(this.#parts.beat.end());
      if (isDone) this.#notes.later(this.#tidy());
      if (this.#parts.purse) this.#notes.later(this.#parts.purse.close());
      await this.#notes.settle();
    } finally {
      await broker.close();
    }
  }

  /** Leaves nothing of a study in the queue that is over, but results for runs that were not asked for this time. */
  async #tidy(): Promise<void> {
    const { adopted, broker, study, proof } = this.#parts;
    // What an earlier coordinator queued and nobody asked for has been recorded meanwhile.
    for (const chunk of new Set([...adopted.values()].map(({ chunk }) => chunk)))
      await this.#notes.withdraw(chunk);
    await proof.withdraw();
    if (!this.#signal?.aborted) await broker.store.delete([KEYS.index(study), KEYS.suspects(study)]);
    const counts = Object.values(await this.#results.getJobCounts());
    if (counts.every((count) => count === 0)) await this.#results.obliterate();
  }

  #end(one: Outstanding, outcome: Outcome): void {
    const { emptied } = this.#parts.outstanding.remove(one.job.run.id);
    one.resolve(unstarted(outcome));
    if (emptied !== undefined) this.#notes.forget([emptied]);
  }

  /** One by one, so that a run that kills its worker harms no other. */
  #requeue(chunk: string): void {
    const runs = this.#parts.outstanding.dissolve(chunk);
    this.#notes.forget([chunk]);
    this.#outbox.pushSingles(runs);
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const { outstanding, publisher, proof, broker, key } = this.#parts;
    try {
      const isBusy = () => this.#inbox.isBusy;
      const [chunks, results, putOff] = [this.#outbox.queue, this.#results, this.#putOff];
      const lost = await findLost({ chunks, results, outstanding, putOff, isBusy });
      if (lost.length === 0) return;
      await proveKey(broker, key);
      await proof.renew();
      await publisher.restore();
      for (const { chunk, refusal } of lost) {
        if (refusal !== undefined) {
          this.#parts.notices.say(`workers refused a chunk: ${refusal}`);
          await this.#outbox.queue.remove(chunk);
          for (const one of outstanding.runsOf(chunk))
            if (++one.refusals >= MOST_REFUSALS)
              this.#end(one, failed("infrastructure", `workers refused it: ${refusal}`));
        }
        this.#requeue(chunk);
      }
    } catch (error) {
      if (!isAway(error)) this.#abandon(error);
    } finally {
      this.#isChecking = false;
    }
  }

  #listenTo(signal: AbortSignal): void {
    if (this.#signal === signal) return;
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#abort(), { once: true });
  }

  #abort(): void {
    const { outstanding } = this.#parts;
    this.#outbox.takeBack();
    const { chunks } = outstanding;
    const runs = outstanding.all();
    for (const chunk of chunks) this.#notes.later(this.#notes.withdraw(chunk));
    for (const { job } of runs) outstanding.remove(job.run.id);
    for (const { resolve } of runs) resolve(unstarted({ status: "cancelled" }));
    if (runs.length === 0) return;
    this.#notes.order(Object.fromEntries(runs.map(({ job }) => [job.run.id, "the study was ended"])));
  }

  /** What the queue refuses ends the study. */
  #abandon(error: unknown): void {
    this.#fatal ??= error;
    for (const { reject } of this.#parts.outstanding.all()) reject(error);
  }
}
