import { expect, test } from "vitest";
import type { Setting } from "../../../src/core/executor.ts";
import { StudyBeat } from "../../../src/executors/queue/study-beat.ts";
import type { Store } from "../../../src/fleet/broker/store.ts";

test("a study that has ended is not brought back by a beat that was on its way", async () => {
  const notes = new Map<string, string>();
  const told: (() => void)[] = [];
  const store = {
    nowMs: () => new Promise((resolve) => told.push(() => resolve(1))),
    setFields: async (_: string, fields: Record<string, string>) => {
      for (const [id, text] of Object.entries(fields)) notes.set(id, text);
    },
    deleteFields: async (_: string, ids: string[]) => {
      for (const id of ids) notes.delete(id);
    },
  } as unknown as Store;
  const beat = new StudyBeat(store, "id", { studyDir: "/nowhere/study" } as Setting);
  beat.learn("run-1", {
    outcome: { status: "failed", owner: "infrastructure", reason: "parked: 2 workers fell silent" },
    metrics: {},
    startedAtMs: 0,
    wallMs: 0,
  });
  const first = beat.beat();
  told.shift()!();
  await first;
  expect(JSON.parse(notes.get("id")!)).toMatchObject({ name: "study", parked: [{ run: "run-1" }] });

  void beat.beat();
  void beat.beat();
  expect(told.length).toBe(1);
  const end = beat.end();
  told.shift()!();
  await end;
  expect(notes.size).toBe(0);
});
