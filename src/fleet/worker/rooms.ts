import { createHash } from "node:crypto";
import { shippedName } from "../../targets/index.ts";
import type { Broker } from "../broker/broker.ts";
import { Lack } from "../code/unpack-code.ts";
import { type Envelope, open, Refusal } from "../envelope.ts";
import { checkLaunch } from "../launch-proof.ts";
import { type Capabilities, lackOf } from "../needs.ts";
import { KEYS, type StudyMessage } from "../protocol.ts";
import { ResultSender } from "./result-sender.ts";
import { type CreateExecutor, StudyRoom } from "./study-room.ts";

/** A room that nobody used for so long is closed. */
const IDLE_MS = 60_000;

interface RoomsOptions {
  broker: Broker;
  key: string;
  worker: string;
  scratch: string;
  jobs: number;
  has: Capabilities;
  createExecutor: CreateExecutor;
}

interface Opened {
  study: string;
  opening: Promise<StudyRoom>;
  wantedMs: number;
}

/** The studies that a worker has open: made when a chunk of one comes, closed when none has come for a while. */
export class Rooms {
  readonly #options: RoomsOptions;
  readonly #rooms = new Map<string, Opened>();
  readonly #senders = new Map<string, ResultSender>();

  constructor(options: RoomsOptions) {
    this.#options = options;
  }

  async room(study: string, hash: string): Promise<StudyRoom> {
    const known = this.#rooms.get(hash);
    if (known) {
      // Before anything is waited for, so that it is not closed as idle before the run begins that it is for.
      known.wantedMs = performance.now();
      return known.opening;
    }
    const opening = this.#open(study, hash);
    this.#rooms.set(hash, { study, opening, wantedMs: performance.now() });
    // What was lacking may be there the next time.
    opening.catch(() => this.#rooms.delete(hash));
    return opening;
  }

  /** Throws where a chunk is of a launch that is over. */
  checkLaunch(study: string, launch: string, nowMs: number): Promise<void> {
    const { broker, key } = this.#options;
    return checkLaunch({ store: broker.store, key, study }, launch, nowMs);
  }

  sender(study: string): ResultSender {
    const { broker, worker, key } = this.#options;
    const known = this.#senders.get(study);
    if (known) return known;
    const sender = new ResultSender(broker, { study, worker, key });
    this.#senders.set(study, sender);
    return sender;
  }

  /** Studies that are open now, each with its rooms: a study that was edited has several. */
  async opened(): Promise<{ study: string; room: StudyRoom }[]> {
    const all = [...this.#rooms.values()].map(async ({ study, opening }) => ({
      study,
      room: await opening.catch(() => undefined),
    }));
    return (await Promise.all(all)).filter(
      (one): one is { study: string; room: StudyRoom } => one.room !== undefined,
    );
  }

  async closeIdle(idleMs = IDLE_MS): Promise<void> {
    for (const [hash, opened] of this.#rooms) {
      const room = await opened.opening.catch(() => undefined);
      const usedMs = Math.max(opened.wantedMs, room?.lastUsedMs ?? 0);
      if (!room?.isIdle || performance.now() - usedMs < idleMs) continue;
      this.#rooms.delete(hash);
      await room.close();
    }
  }

  async close(): Promise<void> {
    for (const { room } of await this.opened()) await room.close();
    this.#rooms.clear();
  }

  async #open(study: string, hash: string): Promise<StudyRoom> {
    const { broker, key, has, scratch, jobs, worker, createExecutor } = this.#options;
    const text = await broker.store.get(KEYS.message(hash));
    if (!text) throw new Lack("what the study says of itself is not in the queue's store");
    if (createHash("sha256").update(text).digest("hex") !== hash)
      throw new Refusal("content", "what the study says of itself has another checksum");
    const opened = open<StudyMessage>("study", JSON.parse(text.toString()) as Envelope, key);
    if (opened.study !== study) throw new Refusal("content", "its setting is that of another study");
    const message = opened.body;
    const { target, services } = message.setting;
    const isOwnCode = target.kind !== "shipped" || message.code.files.length > 0 || services !== undefined;
    const lack = lackOf({ ...message.needs, ownCode: isOwnCode }, has);
    if (lack !== undefined) throw new Lack(`it lacks ${lack}`);
    await checkShipped(message);
    return StudyRoom.open(message, {
      study,
      hash,
      scratch,
      jobs,
      worker,
      store: broker.store,
      key,
      createExecutor,
    });
  }
}

/** Another version of a target would measure something else under the same name. */
async function checkShipped({ shipped, setting: { target } }: StudyMessage): Promise<void> {
  if (shipped === undefined || target.kind !== "shipped") return;
  const own = await shippedName(target.name);
  if (own !== shipped)
    throw new Lack(`its runs are of ${shipped}, and this worker has ${own ?? "no such target"}`);
}
