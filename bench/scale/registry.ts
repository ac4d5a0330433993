// Looks at a registry with many workers and prints the microseconds of processor time that the looks took:
// `node registry.js REDIS_URL RECORD WORKERS LOOKS`, once it is bundled. The record is copied under other names.
import { readAddress } from "../../src/fleet/address.ts";
import { redisBroker } from "../../src/fleet/broker/redis.ts";
import { Registry, type WorkerRecord } from "../../src/fleet/registry.ts";

const [url, text = "{}", workers = "1", looks = "1"] = process.argv.slice(2);
const broker = await redisBroker(readAddress(url));
const registry = new Registry(broker.store);
const record = JSON.parse(text) as WorkerRecord;
const ids = Array.from({ length: Number(workers) }, (_, i) => `copy-${i}`);
const seenAtMs = await broker.store.nowMs();
for (const id of ids) await registry.write({ ...record, id, seenAtMs });
const start = process.cpuUsage();
for (let i = 0; i < Number(looks); i++) await registry.list();
const { user, system } = process.cpuUsage(start);
for (const id of ids) await registry.remove(id);
await broker.close();
console.log(user + system);
