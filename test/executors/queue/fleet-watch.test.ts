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
