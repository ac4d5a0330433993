import { expect, test } from "vitest";
import { warmUp } from "../../src/gateway/warm-up.ts";

test("what warms a gateway up leaves neither a server nor a connection", async () => {
  const open = () => process.getActiveResourcesInfo().filter((name) => name.startsWith("TCP")).length;
  const before = open();
  await warmUp();
  await new Promise((resolve) => setImmediate(resolve));
  expect(open()).toBe(before);
});
