import { expect, test } from "vitest";
import { FleetWatch } from "../../../src/executors/queue/fleet-watch.ts";
import type { Registry } from "../../../src/fleet/registry.ts";

test("the fleet is looked at once at a time, however slow the registry is", async () => {
  const answers: ((workers: []) => void)[] = [];
  const registry = { list: () => new Promise((resolve) => answers.push(resolve)) } as unknown as Registry;
  const watch = new FleetWatch({
    registry,
    study: "s",
    needs: {} as never,
    say: () => {},
    label: "redis://",
  });
  const looks = [watch.look(), watch.look(), watch.look()];
  expect(answers).toHaveLength(1);
  answers[0]!([]);
  await Promise.all(looks);
  void watch.look();
  expect(answers).toHaveLength(2);
});

test("that nobody is there is said after several looks in a row, once", async () => {
  const told: string[] = [];
  let workers: object[] = [];
  const registry = { list: async () => workers } as unknown as Registry;
  const watch = new FleetWatch({
    registry,
    study: "s",
    needs: {},
    say: (text) => told.push(text),
    label: "redis://",
  });
  const look = async (times: number) => {
    for (let i = 0; i < times; i++) await watch.look();
  };
  await look(3);
  // Heard late, as on a machine that stood still.
  workers = [{ id: "w", isAlive: true, state: "running", jobs: 2, lacks: {}, labels: [] }];
  await look(1);
  expect(watch.slots).toBe(2);
  workers = [];
  await look(3);
  expect(told).toEqual([]);
  await look(5);
  expect(told).toEqual([expect.stringContaining("no worker is there")]);
});
