import { describe, expect, test } from "vitest";
import type { Setting } from "../../src/core/executor.ts";
import { createExecutor } from "../../src/executors/index.ts";
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
