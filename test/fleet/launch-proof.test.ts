import { expect, test } from "vitest";
import type { Store } from "../../src/fleet/broker/store.ts";
import { checkLaunch, LaunchProof } from "../../src/fleet/launch-proof.ts";
import { KEYS } from "../../src/fleet/protocol.ts";

const KEY = "the key of this fleet";
const STUDY = "0123456789abcdef";
const HOUR_MS = 3600_000;

/** What a proof needs of a store, with a clock that the test sets. */
function aStore() {
  const values = new Map<string, Buffer>();
  const clock = { nowMs: 0 };
  const store = {
    get: async (key: string) => values.get(key),
    set: async (key: string, value: string) => void values.set(key, Buffer.from(value)),
    delete: async (keys: string[]) => {
      for (const key of keys) values.delete(key);
    },
    nowMs: async () => clock.nowMs,
  } as unknown as Store;
  return { place: { store, key: KEY, study: STUDY }, values, clock };
}

test("a launch counts from its start to its end, also after its coordinator was killed and came back", async () => {
  const { place, clock } = aStore();
  await expect(checkLaunch(place, "first", clock.nowMs)).rejects.toThrow("its study has ended");
  const first = await LaunchProof.create(place);
  await checkLaunch(place, first.launch, clock.nowMs);
  // Killed: nothing was withdrawn.
  const second = await LaunchProof.create(place);
  await Promise.all([
    checkLaunch(place, first.launch, clock.nowMs),
    checkLaunch(place, second.launch, clock.nowMs),
  ]);
  await second.withdraw();
  await expect(checkLaunch(place, second.launch, clock.nowMs)).rejects.toThrow("its study has ended");
  await LaunchProof.create(place);
  await expect(checkLaunch(place, first.launch, clock.nowMs)).rejects.toThrow(
    "it is of a launch that has ended",
  );
});

test("a proof that somebody kept and puts back is good for an hour at most", async () => {
  const { place, values, clock } = aStore();
  const proof = await LaunchProof.create(place);
  const kept = values.get(KEYS.launch(STUDY))!;
  await proof.withdraw();
  values.set(KEYS.launch(STUDY), kept);
  clock.nowMs = HOUR_MS + 1;
  await expect(checkLaunch(place, proof.launch, clock.nowMs)).rejects.toThrow(
    "has not been heard of for an hour",
  );
  await LaunchProof.create(place);
  await expect(checkLaunch(place, proof.launch, clock.nowMs)).rejects.toThrow(
    "it is of a launch that has ended",
  );
});

test("a proof of another study or of another fleet is none", async () => {
  const { place, values, clock } = aStore();
  const theirs = await LaunchProof.create({ ...place, study: "fedcba9876543210" });
  values.set(KEYS.launch(STUDY), values.get(KEYS.launch("fedcba9876543210"))!);
  await expect(checkLaunch(place, theirs.launch, clock.nowMs)).rejects.toThrow("another study");
  const strangers = await LaunchProof.create({ ...place, key: "the key of another fleet" });
  await expect(checkLaunch(place, strangers.launch, clock.nowMs)).rejects.toThrow("signature");
});
