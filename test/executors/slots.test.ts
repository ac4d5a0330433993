import { describe, expect, test } from "vitest";
import type { Setting } from "../../src/core/executor.ts";
import { OK } from "../../src/core/run.ts";
import { createExecutor } from "../../src/executors/index.ts";
import { SlotHealth } from "../../src/executors/slot-health.ts";
import { aRun, aStudy } from "../support/a-study.ts";
import { TempFolder } from "../support/temp-folder.ts";

const NEVER = new AbortController().signal;

/** Each run says which card it has when it begins and when it ends; only one may have a card at a time. */
const SAY = 'echo "$CARD begins" >> log; echo "$CARD ends" >> log';
/** The same for one process that does many runs; a process for each value of `model`. */
const SERVE = `const { appendFileSync } = require("node:fs");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id } = JSON.parse(line);
  appendFileSync("log", process.env.CARD + " begins\\n" + process.env.CARD + " ends\\n");
  console.log(JSON.stringify({ id, metrics: { card: Number(process.env.CARD) } }));
});`;

function settingOf(folder: TempFolder, part: Partial<Setting>): Setting {
  const { limits, iterations } = aStudy();
  return {
    target: { kind: "command", argv: ["sh", "-c", SAY], cwd: folder.path, watch: [] },
    studyDir: folder.path,
    baseDir: folder.path,
    artifacts: "all",
    limits,
    iterations,
    instruments: [],
    plugins: [],
    env: {},
    jobs: 2,
    slots: [{ CARD: "0" }, { CARD: "1" }],
    ...part,
  };
}

const runs = Array.from({ length: 6 }, (_, i) =>
  aRun({ id: `r${i}__0123456789a${i}`, params: { model: `m${i % 3}` } }),
);

describe("slots", () => {
  test("programs at the same time have one each, and one after the other the same", async () => {
    using folder = new TempFolder();
    const executor = await createExecutor("process", settingOf(folder, {}));
    await Promise.all(runs.map((run) => executor.execute({ run, attempt: 1 }, NEVER)));
    await executor.close();
    const lines = folder.read("log").trim().split("\n");
    expect(lines).toHaveLength(12);
    for (const card of ["0", "1"]) {
      const own = lines.filter((line) => line.startsWith(card));
      expect(
        own.every((line, i) => line.endsWith(i % 2 === 0 ? "begins" : "ends")),
        own.join(),
      ).toBe(true);
    }
    expect(new Set(lines.map((line) => line[0]))).toEqual(new Set(["0", "1"]));
  });

  test("processes that do many runs keep theirs, and one that makes room leaves it to the next", async () => {
    using folder = new TempFolder();
    const argv = [process.execPath, "-e", SERVE, "${model}"];
    const target = { kind: "command" as const, argv, cwd: folder.path, watch: [], isWorker: true as const };
    const executor = await createExecutor("process", settingOf(folder, { target }));
    const cards: unknown[] = [];
    for (const pair of [runs.slice(0, 2), runs.slice(2, 4), runs.slice(4, 6)]) {
      const attempts = await Promise.all(pair.map((run) => executor.execute({ run, attempt: 1 }, NEVER)));
      cards.push(attempts.map(({ metrics }) => metrics.card).sort());
    }
    await executor.close();
    expect(cards).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
    ]);
  });
});

describe("a slot that is gone", () => {
  const BAD = { status: "failed", owner: "agent", reason: "no such device" } as const;

  test.each([
    ["programs", false],
    ["a process that does many runs", true],
  ])("fails some runs of %s, then gets no more, and the others do the rest", async (_, isWorker) => {
    using folder = new TempFolder();
    const serve = SERVE.replace(
      "const { id }",
      "if (process.env.CARD === '1') process.exit(1);\n  const { id }",
    );
    const argv = isWorker ? [process.execPath, "-e", serve] : ["sh", "-c", 'test "$CARD" = 0'];
    const target = {
      kind: "command" as const,
      argv,
      cwd: folder.path,
      watch: [],
    };
    const executor = await createExecutor(
      "process",
      settingOf(folder, { target: { ...target, ...(isWorker && { isWorker }) } }),
    );
    const notices: string[] = [];
    executor.listen!((text) => notices.push(text));
    const statuses: string[] = [];
    const waiting = Array.from({ length: 60 }, (_, i) => aRun({ id: `r${i}__0123456789ab` }));
    const work = async () => {
      for (let run = waiting.shift(); run; run = waiting.shift())
        statuses.push((await executor.execute({ run, attempt: 1 }, NEVER)).outcome.status);
    };
    await Promise.all([work(), work()]);
    await executor.close();
    expect(notices).toEqual([expect.stringMatching(/^slot 2 \(CARD=1\) gets no more runs/)]);
    // Ten at most, and what was on its way there.
    expect(statuses.filter((status) => status === "failed").length).toBeLessThan(13);
    expect(statuses).toHaveLength(60);
    expect(executor.capacity).toBeLessThan(3);
  });

  test("is told from a study whose runs fail everywhere, and from bad luck", () => {
    const broken = new SlotHealth(2);
    for (let i = 0; i < 100; i++) for (const slot of [0, 1]) expect(broken.note(slot, BAD)).toBe(false);
    const unlucky = new SlotHealth(2);
    for (let i = 0; i < 40; i++) unlucky.note(0, i % 2 === 0 ? OK : BAD);
    for (let i = 0; i < 5; i++) expect(unlucky.note(1, BAD)).toBe(false);
    expect(unlucky.note(1, OK)).toBe(false);
    for (let i = 0; i < 5; i++) expect(unlucky.note(1, BAD)).toBe(false);
  });

  test("is never the last", () => {
    const health = new SlotHealth(2);
    for (let i = 0; i < 10; i++) health.note(0, OK);
    const said = Array.from({ length: 10 }, () => health.note(1, BAD));
    expect(said.filter(Boolean)).toHaveLength(1);
    for (let i = 0; i < 50; i++) expect(health.note(0, BAD)).toBe(false);
    expect(health.isOut(0)).toBe(false);
  });
});
