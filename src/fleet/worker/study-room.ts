import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { asMachineError, errorText, MachineError, UserError } from "../../core/errors.ts";
import type { Executor, Job, Setting } from "../../core/executor.ts";
import { type Attempt, failed, type Outcome } from "../../core/run.ts";
import { runDir } from "../../core/study-folder.ts";
import { systemClock } from "../../host/clock.ts";
import { describeMachine } from "../../host/environment.ts";
import { removeTree } from "../../host/files.ts";
import { Budget } from "../../models/gate/budget.ts";
import { GATE_VARIABLE, openGateServer } from "../../models/gate/gate-server.ts";
import type { Store } from "../broker/store.ts";
import { ContentCheck } from "../code/content-check.ts";
import { Lack, unpackCode } from "../code/unpack-code.ts";
import type { Omitted } from "../files/archive.ts";
import type { FileRoute, Parcel } from "../files/file-route.ts";
import { openRoute } from "../files/index.ts";
import { FleetGate } from "../limits/fleet-gate.ts";
import type { Limit } from "../limits/limit.ts";
import { isLimited } from "../limits/purse.ts";
import type { ChunkMessage, StudyMessage } from "../protocol.ts";
import { StateCourier } from "./state-courier.ts";

interface RoomOptions {
  study: string;
  /** The hash of the study's message: with other code or another setting it is another room. */
  hash: string;
  scratch: string;
  jobs: number;
  store: Store;
  key: string;
  worker: string;
  createExecutor: CreateExecutor;
}

/** What carries out runs on this machine: the worker is told, since it is itself what one kind of executor leads to. */
export type CreateExecutor = (setting: Setting) => Promise<Executor>;

/** What one try at a run gave, and where its files went. */
interface Tried {
  result: Attempt;
  parcel?: Parcel;
  /** What is wrong with this machine, which should try no more runs. */
  problem?: string;
}

/** Where a worker runs a study: its code, a folder, an executor as on one machine, and the way back for files. */
export class StudyRoom {
  readonly name: string;
  readonly mostDeaths: number;
  readonly limits: readonly Limit[];
  readonly #dir: string;
  readonly #study: string;
  readonly #executor: Executor;
  readonly #route: FileRoute;
  readonly #content: ContentCheck | undefined;
  readonly #calls: CallGate | undefined;
  readonly #states: StateCourier | undefined;
  readonly #kill = new AbortController();
  readonly #running = new Set<string>();
  lastUsedMs = performance.now();

  private constructor(
    message: StudyMessage,
    options: RoomOptions & {
      executor: Executor;
      route: FileRoute;
      dir: string;
      content?: ContentCheck | undefined;
      calls: CallGate | undefined;
      states: StateCourier | undefined;
    },
  ) {
    this.name = message.name;
    this.mostDeaths = message.mostDeaths;
    this.limits = message.limits ?? [];
    this.#study = options.study;
    this.#executor = options.executor;
    this.#route = options.route;
    this.#dir = options.dir;
    this.#content = options.content;
    this.#calls = options.calls;
    this.#states = options.states;
  }

  static async open(message: StudyMessage, options: RoomOptions): Promise<StudyRoom> {
    // A folder of its own: the room of this study before it may still be closing.
    const dir = mkdtempSync(join(options.scratch, `${options.study}-${options.hash.slice(0, 12)}-`));
    mkdirSync(join(dir, "code"));
    const { result, env } = message.setting;
    const calls = await openCallGate(message, options);
    try {
      const placed = await unpackCode(message, { dir: join(dir, "code"), store: options.store });
      const setting: Setting = {
        ...message.setting,
        ...placed,
        studyDir: dir,
        jobs: options.jobs,
        env: { ...env, ...calls?.env },
        // The facts of the machine are this one's.
        ...(result && { result: { ...result, environment: describeMachine() } }),
      };
      const route = await openRoute(message.files, options.store);
      const { study, store, key } = options;
      // In a folder that all machines share, every worker finds it; else it travels. Modules keep none.
      const isShared = isAbsolute(message.files);
      if (isShared) setting.stateRoot = join(message.files, `${study}.state`);
      const states =
        isShared || setting.target.kind !== "command"
          ? undefined
          : new StateCourier({ studyDir: dir, study, key, store, route });
      const content = await ContentCheck.create(setting.target, setting.baseDir);
      const executor = await options.createExecutor(setting);
      return new StudyRoom(message, { ...options, dir, route, executor, content, calls, states });
    } catch (error) {
      await calls?.close();
      rmSync(dir, { recursive: true, force: true });
      throw error instanceof UserError ? new Lack(error.message) : error;
    }
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** What runs was ended by `abort`, not by its own fault. */
  get isAborted(): boolean {
    return this.#kill.signal.aborted;
  }

  isRunning(runId: string): boolean {
    return this.#running.has(runId);
  }

  /** Throws what runs of a chunk would look for here in vain. */
  check({ jobs, contents = [] }: ChunkMessage): void {
    for (const [i, expected] of contents.entries()) if (jobs[i]) this.#content?.check(jobs[i].run, expected);
  }

  /** One try at a run. What the machine lacks is thrown. */
  async execute(job: Job): Promise<Tried> {
    this.#running.add(job.run.id);
    this.lastUsedMs = performance.now();
    try {
      const endState = await this.#states?.begin(job.run.id);
      const result = await this.#executor.execute(job, this.#kill.signal);
      await endState?.(result.outcome);
      const dir = runDir(this.#dir, job.run.id);
      if (!existsSync(dir)) return { result };
      return await this.#send(job.run.id, dir, result);
    } catch (error) {
      // The module can't be loaded here, though it could where the study was made.
      throw error instanceof UserError && !(error instanceof MachineError) ? new Lack(error.message) : error;
    } finally {
      this.#running.delete(job.run.id);
    }
  }

  cancel(runId: string, outcome: Outcome): void {
    if (runId !== "*") this.#executor.cancel?.(runId, outcome);
    else for (const id of this.#running) this.#executor.cancel?.(id, outcome);
  }

  /** Ends what runs: at once, or after its grace where the reason is a preemption. */
  abort(reason?: unknown): void {
    this.#kill.abort(reason);
  }

  async close(): Promise<void> {
    await this.#executor.close();
    await this.#calls?.close();
    removeTree(this.#dir);
  }

  /** A run whose files can't be sent has failed: that it ran, and what it cost, is known all the same. */
  async #send(runId: string, dir: string, result: Attempt): Promise<Tried> {
    try {
      const name = { study: this.#study, runId, nonce: randomUUID() };
      const { parcel, omitted } = await this.#route.send(dir, name);
      return { result: withoutFiles(result, omitted), parcel };
    } catch (error) {
      const { files: _, ...rest } = result;
      const outcome = failed("infrastructure", `its files could not be sent: ${errorText(error)}`);
      const machine = asMachineError(error);
      return {
        result: { ...rest, outcome },
        ...(machine instanceof MachineError && { problem: machine.message }),
      };
    } finally {
      removeTree(dir);
    }
  }
}

/** What the calls to models of a study's runs here have to pass. */
interface CallGate {
  /** By which its threads and programs find it. */
  env: Record<string, string>;
  close(): Promise<void>;
}

/** Undefined where the study sets its calls no limit. */
async function openCallGate(
  { setting: { limits } }: StudyMessage,
  { store, study, worker }: RoomOptions,
): Promise<CallGate | undefined> {
  if (!isLimited(limits)) return undefined;
  const gates: FleetGate[] = [];
  const server = await openGateServer(new Budget(null), (gate) => {
    gates.push(new FleetGate(gate, { store, study, worker, limits, clock: systemClock }));
    return gates[0]!;
  });
  return {
    env: { [GATE_VARIABLE]: server.address },
    async close() {
      for (const gate of gates) gate.close();
      await server.close();
    },
  };
}

const MOST_NAMED = 10;

/** A result that says which files stayed behind, and why. */
function withoutFiles(result: Attempt, omitted: readonly Omitted[]): Attempt {
  if (omitted.length === 0) return result;
  const lost = new Set(omitted.map(({ path }) => path));
  const files = (result.files ?? []).filter((file) => !lost.has(`out/${file}`));
  const named = omitted
    .slice(0, MOST_NAMED)
    .map(({ path, bytes, why }) => `${path} (${bytes} bytes) did not come back: ${why}`);
  const more = omitted.length - named.length;
  if (more > 0) named.push(`${more} more files did not come back`);
  return { ...result, files, warnings: [...(result.warnings ?? []), ...named] };
}
