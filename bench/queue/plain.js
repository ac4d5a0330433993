// Plain BullMQ: adds no-op jobs and lets two worker processes do them. `node plain.js PORT COUNT` prints seconds;
// `node plain.js PORT worker` is one of the two.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Queue, Worker } from "bullmq";

const [port, what] = process.argv.slice(2);
const connection = { host: "127.0.0.1", port: Number(port), maxRetriesPerRequest: null };
const BATCH = 1000;
const run = {
  id: "seed12345__baseline__0123456789ab",
  params: {},
  variant: "baseline",
  flags: [],
  seed: 12345,
};
const data = { run: { ...run, task: null, repeat: 0 }, attempt: 1 };

if (what === "worker") {
  const worker = new Worker("plain", async () => {}, { connection, concurrency: 50 });
  await worker.waitUntilReady();
  process.send("ready");
} else {
  const self = fileURLToPath(import.meta.url);
  const start = () =>
    spawn(process.execPath, [self, port, "worker"], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const workers = [start(), start()];
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once("message", resolve))));
  const queue = new Queue("plain", { connection });
  const began = performance.now();
  const opts = { removeOnComplete: true };
  for (let left = Number(what); left > 0; left -= BATCH)
    await queue.addBulk(Array.from({ length: Math.min(BATCH, left) }, () => ({ name: "noop", data, opts })));
  for (;;) {
    const { wait, active } = await queue.getJobCounts("wait", "active");
    if (wait + active === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  console.log((performance.now() - began) / 1000);
  for (const worker of workers) worker.kill("SIGKILL");
  await queue.close();
}
