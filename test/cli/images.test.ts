import { expect, test } from "vitest";
import { removeOld } from "../../src/cli/images.ts";

const DAY_MS = 86_400_000;
const image = (name: string, days: number) => ({ name, bytes: 1e9, usedAtMs: Date.now() - days * DAY_MS });
const BUILT = [image("new", 1), image("old", 40), image("held", 50), image("month", 20)];

test.each([
  ["no limit", {}, []],
  ["an age", { olderThan: 30 * DAY_MS }, ["old"]],
  ["a size", { keepGb: 2 }, ["old", "month"]],
  ["both", { olderThan: 10 * DAY_MS, keepGb: 100 }, ["old", "month"]],
])(
  "with %s, images go by how long nobody used them, except one that a container has",
  async (_, limits, gone) => {
    const remove = (name: string) => Promise.resolve(name !== "held");
    expect([...(await removeOld({ remove }, BUILT, limits))]).toEqual(gone);
  },
);
