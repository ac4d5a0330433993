import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { failed } from "../../../src/core/run.ts";
import { runStateDir } from "../../../src/core/study-folder.ts";
import type { Store } from "../../../src/fleet/broker/store.ts";
import { queueRoute } from "../../../src/fleet/files/queue-route.ts";
import { StateCourier } from "../../../src/fleet/worker/state-courier.ts";
import { TempFolder } from "../../support/temp-folder.ts";

const RUN = "seed1__baseline__0123456789ab";
const BROKEN = failed("infrastructure", "its worker was killed");
/** Larger than what goes inside of a message. */
const checkpoint = () => randomBytes(100_000);

/** What a queue's server keeps; `isCut` lets nothing more arrive. */
function aStore() {
  const values = new Map<string, Buffer>();
  const tables = new Map<string, Record<string, string>>();
  const server = { isCut: false, pieces: () => [...values.keys()], values };
  const store = {
    get: async (key: string) => values.get(key),
    set: async (key: string, value: Buffer) => {
      if (server.isCut) throw new Error("the connection broke");
      values.set(key, value);
    },
    delete: async (keys: string[]) => {
      for (const key of keys) values.delete(key);
    },
    fields: async (key: string) => tables.get(key) ?? {},
    setFields: async (key: string, fields: Record<string, string>) =>
      void tables.set(key, { ...tables.get(key), ...fields }),
  } as unknown as Store;
  return { server, store };
}

/** A worker's try at the run: finds what was saved before, saves something, and does not get to a result. */
async function attempt(folder: TempFolder, store: Store, worker: string, saves?: Buffer) {
  const studyDir = `${folder.path}/${worker}`;
  const path = `${runStateDir(studyDir, RUN)}/checkpoint`;
  const facts = { studyDir, study: "0123456789abcdef", key: "the key of this fleet", store };
  const end = await new StateCourier({ ...facts, route: queueRoute(store) }).begin(RUN);
  const found = existsSync(path) ? readFileSync(path) : undefined;
  if (saves) {
    mkdirSync(runStateDir(studyDir, RUN), { recursive: true });
    writeFileSync(path, saves);
  }
  await end(BROKEN);
  return found;
}

test("a checkpoint that is cut on its way leaves the one before", async () => {
  using folder = new TempFolder();
  const { server, store } = aStore();
  const whole = checkpoint();
  expect(await attempt(folder, store, "first", whole)).toBeUndefined();
  server.isCut = true;
  expect(await attempt(folder, store, "second", checkpoint())).toEqual(whole);
  server.isCut = false;
  expect(await attempt(folder, store, "third")).toEqual(whole);
});

test("a checkpoint of which a part is lost is none: the run begins anew, and saves again", async () => {
  using folder = new TempFolder();
  const { server, store } = aStore();
  await attempt(folder, store, "first", checkpoint());
  server.values.delete(server.pieces()[0]!);
  const next = checkpoint();
  expect(await attempt(folder, store, "second", next)).toBeUndefined();
  expect(await attempt(folder, store, "third")).toEqual(next);
});
