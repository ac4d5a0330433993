// A worker that runs nothing and answers at once, a message for each chunk, as a thousand workers with long runs
// would: `node answering.js REDIS_URL RECORD`, once it is bundled. What is left of a study's time is its coordinator's.
import { readAddress } from "../../src/fleet/address.ts";
import { redisBroker } from "../../src/fleet/broker/redis.ts";
import { type Envelope, open, seal } from "../../src/fleet/envelope.ts";
import { classOf } from "../../src/fleet/needs.ts";
import { type ChunkMessage, type ResultsMessage, resultsQueue } from "../../src/fleet/protocol.ts";
import { Registry, type WorkerRecord } from "../../src/fleet/registry.ts";

const [url, text = "{}"] = process.argv.slice(2);
const KEY = process.env.ASSAY_FLEET_KEY!;
const SLOTS = 1000;
/** Long enough that each run travels alone. */
const WALL_MS = 100;

const broker = await redisBroker(readAddress(url));
const registry = new Registry(broker.store);
const record: WorkerRecord = { ...(JSON.parse(text) as WorkerRecord), id: "answering", jobs: SLOTS };
const beat = async () => registry.write({ ...record, seenAtMs: await broker.store.nowMs() });
await beat();
setInterval(beat, 1000);
const queues = new Map<string, ReturnType<typeof broker.queue>>();
broker.consume(
  classOf({}),
  async (job) => {
    const { study, body } = open<ChunkMessage>("chunk", job.data as Envelope, KEY);
    const results = body.jobs.map(({ run, attempt }) => ({
      runId: run.id,
      attempt,
      chunk: body.id,
      result: {
        outcome: { status: "ok" as const },
        metrics: { value: 1 },
        startedAtMs: Date.now(),
        wallMs: WALL_MS,
      },
    }));
    const message: ResultsMessage = { worker: record.id, results, returned: [] };
    const queue = queues.get(study) ?? broker.queue(resultsQueue(study));
    queues.set(study, queue);
    const envelope = seal("results", message, { key: KEY, study });
    await queue.add("results", envelope, {
      jobId: `r${envelope.signature.slice(0, 32)}`,
      removeOnComplete: true,
    });
  },
  { concurrency: SLOTS, leaseMs: 30_000 },
);
console.log("waits for runs");
