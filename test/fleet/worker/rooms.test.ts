import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { Broker } from "../../../src/fleet/broker/broker.ts";
import { Lack } from "../../../src/fleet/code/unpack-code.ts";
import { seal } from "../../../src/fleet/envelope.ts";
import { Rooms } from "../../../src/fleet/worker/rooms.ts";

const key = "the key of this fleet";
const study = "0123456789abcdef";

/** What a worker says to a study of a shipped target. */
async function answerTo(name: string, shipped: string, protocol = 4): Promise<unknown> {
  const setting = { target: { kind: "shipped", name } };
  const message = { name: "fit", setting, code: { files: [] }, needs: {}, shipped };
  const text = Buffer.from(JSON.stringify(seal("study", message, { key, study, protocol })));
  const rooms = new Rooms({
    broker: { store: { get: async () => text } } as unknown as Broker,
    ...{ key, worker: "w", scratch: "/nowhere", jobs: 1 },
    has: { cores: 1, memoryMb: 1, labels: [], onlyShipped: false, protocol: 4 },
    createExecutor: () => Promise.reject(new Error("not reached")),
  });
  return rooms.room(study, createHash("sha256").update(text).digest("hex")).catch((error) => error);
}

test("a study of another version of a shipped target is declined, for others to run", async () => {
  const answer = await answerTo("noop", "noop@99");
  expect(answer).toBeInstanceOf(Lack);
  expect((answer as Error).message).toMatch(/^its runs are of noop@99, and this worker has noop@/);
  expect(((await answerTo("nope", "nope@1")) as Error).message).toContain("no such target");
});

test("a study in a protocol that is not known is declined as such", async () => {
  expect(await answerTo("noop", "noop@0", 99)).toMatchObject({ why: "version" });
});
