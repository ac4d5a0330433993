import { randomBytes } from "node:crypto";
import type { Store } from "./broker/store.ts";
import { type Envelope, open, Refusal, seal } from "./envelope.ts";
import { KEYS } from "./protocol.ts";

/** A coordinator may be away for so long before its chunks are refused, and queued again when it returns. */
const LIFE_MS = 3600_000;

/** Which launches of a study have chunks that may be run, until when by the server's clock. */
interface Proof {
  launches: string[];
  untilMs: number;
}

interface Place {
  store: Store;
  key: string;
  study: string;
}

/**
 * Says which launch is under way, signed and for an hour at most. Without it, whoever can write to the queue could have a
 * chunk of a study that has ended run again: its signature is as good as ever.
 */
export class LaunchProof {
  /** Names this launch among those of the study. */
  readonly launch: string;
  readonly #place: Place;
  readonly #before: readonly string[];

  private constructor(place: Place, launch: string, before: readonly string[]) {
    this.launch = launch;
    this.#place = place;
    this.#before = before;
  }

  /** Chunks of a coordinator that died just now still count. */
  static async create(place: Place): Promise<LaunchProof> {
    const before = await read(place, await place.store.nowMs()).catch(() => undefined);
    const proof = new LaunchProof(place, randomBytes(16).toString("hex"), before?.launches ?? []);
    await proof.renew();
    return proof;
  }

  async renew(): Promise<void> {
    const { store, key, study } = this.#place;
    const proof: Proof = {
      launches: [this.launch, ...this.#before],
      untilMs: (await store.nowMs()) + LIFE_MS,
    };
    const text = JSON.stringify(seal("launch", proof, { key, study }));
    await store.set(KEYS.launch(study), text, { lifeMs: LIFE_MS });
  }

  async withdraw(): Promise<void> {
    await this.#place.store.delete([KEYS.launch(this.#place.study)]);
  }
}

/** Throws where the launch of a chunk is not under way at a time of the server's clock. */
export async function checkLaunch(place: Place, launch: string, nowMs: number): Promise<void> {
  const { launches } = await read(place, nowMs);
  if (!launches.includes(launch)) throw new Refusal("expired", "it is of a launch that has ended");
}

async function read({ store, key, study }: Place, nowMs: number): Promise<Proof> {
  const text = await store.get(KEYS.launch(study));
  if (!text) throw new Refusal("expired", "its study has ended");
  const opened = open<Proof>("launch", JSON.parse(text.toString()) as Envelope, key);
  if (opened.study !== study) throw new Refusal("content", "its launch is that of another study");
  if (nowMs > opened.body.untilMs)
    throw new Refusal("expired", "its study has not been heard of for an hour");
  return opened.body;
}
