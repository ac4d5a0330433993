import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MachineError } from "../../src/core/errors.ts";
import { Views } from "../../src/server/views.ts";
import { TempFolder } from "../support/temp-folder.ts";

test("of a study that grows only the newest table is kept", async () => {
  using folder = new TempFolder({ "journal.jsonl": "" });
  let computed = 0;
  const views = new Views(async () => {
    computed++;
    return "x".repeat(1000);
  });
  const request = { kind: "runs" as const, id: "study", dir: folder.path };
  for (let i = 0; i < 40; i++) {
    appendFileSync(join(folder.path, "journal.jsonl"), "{}\n");
    await views.get(request);
    await views.get(request);
  }
  expect(computed).toBe(40);
  expect(views.keptBytes).toBe(2000);
  await views.close();
});

test("of many large tables no more are kept than there is room for", async () => {
  using folder = new TempFolder({ "journal.jsonl": "" });
  const large = "x".repeat(20 * 1024 * 1024);
  const views = new Views(async () => large);
  for (let i = 0; i < 10; i++) await views.get({ kind: "runs", id: `study-${i}`, dir: folder.path });
  expect(views.keptBytes).toBeLessThanOrEqual(128 * 1024 * 1024);
  expect(views.keptBytes).toBeGreaterThan(0);
  await views.close();
});

test("a view that could not be computed is asked for again", async () => {
  using folder = new TempFolder({ "journal.jsonl": "" });
  let isBroken = true;
  const views = new Views(async () => {
    if (isBroken) throw new Error("not now");
    return "{}";
  });
  const request = { kind: "study" as const, id: "study", dir: folder.path };
  await expect(views.get(request)).rejects.toThrow("not now");
  isBroken = false;
  expect(await views.get(request)).toBe("{}");
  await views.close();
});

test("who waits for a view when the page is ended is told so, and it is no bug", async () => {
  using folder = new TempFolder({ "journal.jsonl": "" });
  const views = new Views();
  const waiting = expect(views.get({ kind: "study", id: "study", dir: folder.path })).rejects.toBeInstanceOf(
    MachineError,
  );
  await views.close();
  await waiting;
  await expect(views.get({ kind: "runs", id: "study", dir: folder.path })).rejects.toBeInstanceOf(
    MachineError,
  );
});
