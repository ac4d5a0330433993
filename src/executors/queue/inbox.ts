import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { asMachineError, errorText, MachineError, UserError } from "../../core/errors.ts";
import type { Job } from "../../core/executor.ts";
import { type Attempt, failed } from "../../core/run.ts";
import { RUN_FILES, runDir, STUDY_FILES } from "../../core/study-folder.ts";
import { atMost } from "../../fleet/broker/at-most.ts";
import type { Broker, FleetConsumer, FleetJob } from "../../fleet/broker/broker.ts";
import { giveBack, setAside } from "../../fleet/broker/give-back.ts";
import { open, Refusal } from "../../fleet/envelope.ts";
import type { FileRoute } from "../../fleet/files/file-route.ts";
import { isRunId, type ResultsMessage, type RunResult, resultsQueue } from "../../fleet/protocol.ts";
import { Slots } from "../../fleet/slots.ts";
import { recordedStarts, recordLate } from "./late-results.ts";
import type { OutstandingRuns } from "./outstanding.ts";

/**
 * Messages whose runs nobody asked for yet wait here, and must not keep those behind them: as many are taken as there
 * can be. What bounds them is the number of runs under way.
 */
const CONCURRENCY = 20_000;
/** Runs whose files are brought in at the same time. */
const LANDING = 16;
/** A coordinator that died is succeeded by one that must not wait long for what it had taken. */
const LEASE_MS = 5000;
const CLOSE_MS = 5000;
/** Runs that ended lately, to know a second result from one that nobody asked for yet. */
const MOST_RECENT = 20_000;

interface InboxOptions {
  broker: Broker;
  key: string;
  study: string;
  studyDir: string;
  route: FileRoute;
  outstanding: OutstandingRuns;
  /** Runs of a chunk that a worker gave back. */
  onReturned(chunk: string): void;
  /** Runs that have ended, and chunks that have nothing left. */
  onLanded(landed: { wallMs: number[]; emptied: string[] }): void;
  /** Something that need not be waited for until the end. */
  later(work: Promise<unknown>): void;
  say(text: string): void;
  /** This machine can't bring in files: no result is a failure for that, and all stay in the queue. */
  onRefused(error: unknown): void;
}

/** A result that came before its run was asked for: a coordinator that returns finds what it had under way. */
interface Held {
  result: RunResult;
  worker: string;
  settle(isTaken: boolean): void;
}

/** Receives results. A message is acknowledged when the journal has its runs. */
export class Inbox {
  readonly #options: InboxOptions;
  readonly #consumer: FleetConsumer;
  readonly #held = new Map<string, Held>();
  /** Results of tries that are not asked for any more; at the end the journal tells which of them are late. */
  readonly #stale: Held[] = [];
  readonly #recent = new Map<string, number>();
  readonly #landing = new Slots(LANDING);
  #busy = 0;
  lateCostUsd = 0;

  constructor(options: InboxOptions) {
    this.#options = options;
    this.#consumer = options.broker.consume(
      resultsQueue(options.study),
      (job, token) => this.#take(job, token),
      { concurrency: CONCURRENCY, leaseMs: LEASE_MS },
    );
  }

  /** Messages that are being worked on, apart from results that nobody has asked for yet. */
  get isBusy(): boolean {
    return this.#busy > 0;
  }

  /** Results that are here before anybody asked for their runs. */
  get early(): number {
    return this.#held.size;
  }

  /** The result of this try, if it is here already. */
  claim({ run, attempt }: Job): Promise<Attempt> | undefined {
    const held = this.#held.get(run.id);
    if (!held) return undefined;
    this.#held.delete(run.id);
    if (held.result.attempt !== attempt) {
      this.#stale.push(held);
      return undefined;
    }
    return this.#land(held.result).then(
      (result) => {
        void recorded().then(() => held.settle(true));
        return result;
      },
      (error) => {
        this.#refuse(error);
        held.settle(false);
        throw error;
      },
    );
  }

  /** Ends. What nobody asked for was recorded before, or is left in the queue for the next coordinator. */
  async close(): Promise<void> {
    const { studyDir } = this.#options;
    void this.#consumer.pause(true);
    const all = [...this.#stale.splice(0), ...this.#held.values()];
    this.#held.clear();
    const starts = await recordedStarts(studyDir, new Set(all.map(({ result }) => result.runId)));
    for (const { result, worker, settle } of all) {
      const known = starts.get(result.runId);
      if (known && !known.has(result.result.startedAtMs)) this.#recordLate(result, worker);
      settle(known !== undefined);
    }
    await atMost(CLOSE_MS, this.#consumer.close());
  }

  async #take(job: FleetJob, token: string): Promise<void> {
    const { key, study, say } = this.#options;
    let message: ResultsMessage;
    try {
      const opened = open<ResultsMessage>("results", job.data, key);
      if (opened.study !== study) throw new Refusal("content", "it is of another study");
      message = opened.body;
      const bad = message.results.find(({ runId }) => !isRunId(runId));
      if (bad) throw new Refusal("path", `the run id ${JSON.stringify(bad.runId)} would leave its folder`);
    } catch (error) {
      say(`refused a result: ${errorText(error)}`);
      return setAside(errorText(error));
    }
    this.#busy++;
    let waiting: Promise<boolean>[];
    try {
      for (const { chunk } of message.returned) this.#options.onReturned(chunk);
      waiting = await this.#deliver(message);
      await recorded();
    } finally {
      this.#busy--;
    }
    const areTaken = await Promise.all(waiting);
    if (!areTaken.every(Boolean)) await giveBack(job, token);
  }

  /** Hands results to those who wait for them; gives one promise for each that nobody waits for yet. */
  async #deliver({ results, worker }: ResultsMessage): Promise<Promise<boolean>[]> {
    const { outstanding, onLanded } = this.#options;
    const waiting: Promise<boolean>[] = [];
    const emptied: string[] = [];
    const landings: Promise<void>[] = [];
    for (const result of results) {
      const { runId, attempt } = result;
      const one = outstanding.get(runId);
      if (one && one.job.attempt === attempt) {
        const gone = outstanding.remove(runId);
        const resolve = (attempt: Attempt) => {
          if (gone.emptied !== undefined) emptied.push(gone.emptied);
          one.resolve(attempt);
        };
        const reject = (error: unknown) => {
          this.#refuse(error);
          waiting.push(Promise.resolve(false));
          one.reject(error);
        };
        landings.push(this.#land(result).then(resolve, reject));
      } else if (this.#recent.has(runId)) {
        if (this.#recent.get(runId) !== result.result.startedAtMs) this.#recordLate(result, worker);
      } else waiting.push(this.#hold(result, worker));
    }
    await Promise.all(landings);
    onLanded({ wallMs: results.map(({ result }) => result.wallMs), emptied });
    return waiting;
  }

  #hold(result: RunResult, worker: string): Promise<boolean> {
    return new Promise((settle) => {
      const held: Held = { result, worker, settle };
      const known = this.#held.get(result.runId);
      const isNewer = !known || known.result.attempt < result.attempt;
      if (isNewer) this.#held.set(result.runId, held);
      const other = isNewer ? known : held;
      if (other) this.#stale.push(other);
    });
  }

  #recordLate(result: RunResult, worker: string): void {
    this.lateCostUsd += recordLate(this.#options.studyDir, result, worker);
  }

  /** Brings a run's files into the study's folder before anybody hears that it has ended. Throws what this machine lacks. */
  async #land({ runId, result, parcel }: RunResult): Promise<Attempt> {
    const { studyDir, route, later } = this.#options;
    this.#remember(runId, result.startedAtMs);
    if (!parcel) return result;
    const arriving = join(studyDir, STUDY_FILES.runs, `.arriving-${runId}`);
    await this.#landing.take();
    try {
      if (parcel.runId !== runId) throw new Refusal("content", "its files are those of another run");
      rmSync(arriving, { recursive: true, force: true });
      await route.fetch(parcel, arriving);
      placeFolder(arriving, runDir(studyDir, runId));
    } catch (error) {
      const cause = asMachineError(error);
      if (cause instanceof MachineError || cause instanceof UserError) {
        this.#recent.delete(runId);
        throw cause;
      }
      const reason = `its files did not arrive: ${errorText(error)}`;
      const { files: _, ...rest } = result;
      return { ...rest, outcome: failed("infrastructure", reason) };
    } finally {
      this.#landing.release();
    }
    later(recorded().then(() => route.discard(parcel)));
    return result;
  }

  /** Keys that have expired, a full disk: what lies in the queue is for a coordinator that can take it. */
  #refuse(error: unknown): void {
    void this.#consumer.pause(true);
    this.#options.onRefused(error);
  }

  #remember(runId: string, startedAtMs: number): void {
    this.#recent.set(runId, startedAtMs);
    if (this.#recent.size > MOST_RECENT) this.#recent.delete(this.#recent.keys().next().value!);
  }
}

/** The engine writes what ended in one turn of the event loop at the end of it; after two turns the journal has it. */
async function recorded(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * Puts a run's folder that came from a worker in its place. What an earlier try left there moves to `earlier/<n>`
 * in it; the same folder once more (a coordinator died before it could say that it had it) replaces itself.
 */
export function placeFolder(arrived: string, place: string): void {
  mkdirSync(dirname(place), { recursive: true });
  if (existsSync(place)) {
    if (isSame(arrived, place)) rmSync(place, { recursive: true });
    else keepEarlier(arrived, place);
  }
  renameSync(arrived, place);
}

function keepEarlier(arrived: string, place: string): void {
  const earlier = join(arrived, RUN_FILES.earlier);
  const before = join(place, RUN_FILES.earlier);
  if (existsSync(before)) {
    rmSync(earlier, { recursive: true, force: true });
    renameSync(before, earlier);
  }
  if (readdirSync(place).length === 0) {
    rmSync(place, { recursive: true });
    return;
  }
  mkdirSync(earlier, { recursive: true });
  renameSync(place, join(earlier, String(readdirSync(earlier).length + 1)));
}

function isSame(a: string, b: string): boolean {
  const [first, second] = [a, b].map((dir) => join(dir, RUN_FILES.meta));
  return existsSync(first!) && existsSync(second!) && readFileSync(first!).equals(readFileSync(second!));
}
