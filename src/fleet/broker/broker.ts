import type { Job, Queue, Worker } from "bullmq";
import { UserError } from "../../core/errors.ts";
import type { Address } from "../address.ts";
import { type Envelope, keyProof } from "../envelope.ts";
import { KEYS } from "../protocol.ts";
import { connectProblem } from "./connect-problem.ts";
import { startPatience } from "./patience.ts";
import type { Store } from "./store.ts";

export type FleetJob = Job<Envelope, void, string>;
export type FleetQueue = Queue<Envelope, void, string>;
export type FleetConsumer = Worker<Envelope, void, string>;

export interface ConsumerOptions {
  /** Messages at the same time. */
  concurrency: number;
  /** Who is silent for so long has lost what it took. */
  leaseMs: number;
}

/** The engine below: BullMQ on Redis or on Postgres, and a store beside it. */
export interface Broker {
  readonly label: string;
  readonly store: Store;
  queue(name: string): FleetQueue;
  consume(
    name: string,
    take: (job: FleetJob, token: string) => Promise<void>,
    options: ConsumerOptions,
  ): FleetConsumer;
  close(): Promise<void>;
}

/** How long a first answer may take. */
const PATIENCE_MS = 15_000;

/** Connects, and makes sure that all who use this queue have the same key. */
export async function openBroker(address: Address, key: string): Promise<Broker> {
  const broker =
    address.kind === "redis"
      ? await (await import("./redis.ts")).redisBroker(address)
      : await (await import("./postgres.ts")).postgresBroker(address);
  try {
    await inTime(proveKey(broker, key), address.label);
  } catch (error) {
    await broker.close();
    throw error instanceof UserError ? error : connectProblem(address.label, error);
  }
  return broker;
}

/** Who has another key would throw away all that the others queue; it is told so instead. */
export async function proveKey({ store, label }: Broker, key: string): Promise<void> {
  await store.set(KEYS.proof, keyProof(key), { isNew: true });
  const proof = (await store.get(KEYS.proof))?.toString();
  if (proof === keyProof(key)) return;
  throw new UserError(`ASSAY_FLEET_KEY is not the key of the fleet at ${label}`, {
    remedy:
      "Set the same key on every machine; to change it, end all workers and studies, then empty the queue.",
  });
}

async function inTime<T>(work: Promise<T>, label: string): Promise<T> {
  let stop = () => {};
  const late = new Promise<never>((_, reject) => {
    const tell = () => reject(connectProblem(label, `no answer in ${PATIENCE_MS / 1000} s`));
    stop = startPatience(PATIENCE_MS, tell);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    stop();
  }
}
