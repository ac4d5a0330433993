import { expect, test } from "vitest";
import { startPatience } from "../../../src/fleet/broker/patience.ts";

test("a program that stood still has not waited, and then waits on", async () => {
  let isOver = false;
  const over = new Promise<void>((resolve) =>
    startPatience(500, () => {
      isOver = true;
      resolve();
    }),
  );
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(isOver).toBe(false);
  await over;
});

test("what was answered in time is not told late", async () => {
  let isOver = false;
  const stop = startPatience(100, () => {
    isOver = true;
  });
  stop();
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(isOver).toBe(false);
});
