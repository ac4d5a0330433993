import { describe, expect, test } from "vitest";
import { importReaders } from "../../src/archive/imports/index.ts";
import { type ContractOptions, contractOf } from "../../src/contracts/index.ts";
import { type FamilyName, type Member, markMember } from "../../src/core/family.ts";
import { defineSink } from "../../src/core/sink.ts";
import { executors } from "../../src/executors/index.ts";
import { instruments } from "../../src/instruments/index.ts";
import { reporters } from "../../src/reporters/index.ts";
import { defineReporter } from "../../src/reporters/reporter.ts";
import { sandboxes } from "../../src/sandboxes/index.ts";
import { searchers } from "../../src/search/searchers/index.ts";
import { defineSearcher } from "../../src/search/searchers/searcher.ts";
import { stoppers } from "../../src/search/stoppers/index.ts";

/** What ships, held to what authors of plugins are held to. A copy is marked: what ships needs none. */
async function checks(family: FamilyName, member: object, options: ContractOptions = {}) {
  return contractOf(markMember(family, { ...member }) as Member, options);
}

async function hold(family: FamilyName, member: object, options?: ContractOptions): Promise<void> {
  const all = await checks(family, member, options);
  expect(all.length).toBeGreaterThan(0);
  for (const { check } of all) await check();
}

async function brokenIn(member: Member): Promise<string[]> {
  const broken: string[] = [];
  for (const { title, check } of await contractOf(member)) {
    try {
      await check();
    } catch {
      broken.push(title);
    }
  }
  return broken;
}

describe("what ships keeps the contract of its family", () => {
  test.each(Object.values(searchers))("searcher $name", (one) => hold("searcher", one));
  test.each(Object.values(stoppers))("stopper $name", (one) =>
    hold("stopper", one, one.name === "hyperband" ? { options: { min_iter: 1 } } : {}),
  );
  test.each(Object.values(reporters).filter(({ name }) => name !== "html"))("reporter $name", (one) =>
    hold("reporter", one),
  );
  test.each(importReaders)("importer $name", (one) => hold("importer", one));
  test.each(Object.values(instruments).filter(({ measures }) => measures === undefined))(
    "instrument $name",
    (one) => hold("instrument", one),
  );
  test("executor process", () => hold("executor", { ...executors.process, name: "process" }));
  test("executor thread", () =>
    hold("executor", { ...executors.thread, name: "thread" }, { target: { kind: "shipped", name: "noop" } }));
  test("sandbox directory", () => hold("sandbox", sandboxes.directory!));
});

describe("a contract finds what breaks it", () => {
  test("a searcher that draws from Math.random can't be replayed", async () => {
    const { options } = searchers.random!;
    const dice = defineSearcher({
      ...{ name: "dice", description: "", options },
      ask: (_, count) => Array.from({ length: count }, () => ({ kind: 1, x: Math.random(), depth: 2 })),
    });
    expect(await brokenIn(dice as Member)).toContain(
      "the searcher dice proposes the same points for the same history and seed, whatever it was asked before",
    );
  });

  test("a reporter that writes elsewhere, or says the time", async () => {
    const outside = defineReporter({
      ...{ name: "outside", description: "" },
      render: () => [{ path: "../../etc/passwd", content: "" }],
    });
    expect(await brokenIn(outside)).toHaveLength(3);
    let calls = 0;
    const counting = defineReporter({
      ...{ name: "counting", description: "" },
      render: () => [{ path: "n.txt", content: String(calls++) }],
    });
    expect(await brokenIn(counting)).toHaveLength(3);
  });

  test("a sink that throws", async () => {
    const angry = defineSink({
      ...{ name: "angry", description: "" },
      open: () => ({
        handle({ kind }) {
          if (kind === "retrying") throw new Error("no");
        },
      }),
    });
    expect(await brokenIn(angry)).toEqual([
      "the sink angry takes every event in order and throws at none, in one launch after the other",
    ]);
  });

  test("what belongs to no family is told", async () => {
    await expect(contractOf({ name: "x" })).rejects.toThrow(/belongs to no family/);
  });
});
