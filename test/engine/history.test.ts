import { appendFileSync, readFileSync, truncateSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createRedactor } from "../../src/core/redact.ts";
import type { RunRecord } from "../../src/core/run.ts";
import { Journal } from "../../src/engine/journal.ts";
import { History } from "../../src/engine/pending.ts";
import { Plan } from "../../src/plan/plan.ts";
import { aRecord, aStudy, axis } from "../support/a-study.ts";
import { TempFolder } from "../support/temp-folder.ts";

const study = aStudy({ params: { x: 1 }, axes: [axis("n", 1, 2)] });
const runsOf = (part = {}, program = "noop@1") => [...new Plan({ ...study, ...part }, program).runs()];
const [first, second] = runsOf() as [RunRecord, RunRecord];
const NOTHING = createRedactor({});

function historyOf(folder: TempFolder, ...records: RunRecord[]): History {
  folder.write("journal.jsonl", records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  return new History(`${folder.path}/journal.jsonl`, ["n"]);
}

describe("why a run runs", () => {
  test("is that it is new where there is no journal", () => {
    using folder = new TempFolder();
    const history = new History(`${folder.path}/journal.jsonl`, ["n"]);
    expect(history.size).toBe(0);
    expect(history.reasonFor(first, "noop@1")).toBe("new");
    expect(history.isFinished(first)).toBe(false);
  });

  test.each<[string, RunRecord["outcome"], string]>([
    ["failed", { status: "failed", owner: "agent" }, "failed before"],
    ["timed out", { status: "timeout" }, "failed before"],
    ["was cancelled", { status: "cancelled" }, "cancelled before"],
  ])("is that it %s before", (_, outcome, reason) => {
    using folder = new TempFolder();
    const history = historyOf(folder, aRecord({ ...first, outcome }));
    expect(history.isFinished(first)).toBe(false);
    expect(history.reasonFor(first, "noop@1")).toBe(reason);
    expect(history.reasonFor(second, "noop@1")).toBe("new");
    history.close();
  });

  test("is which parameters changed, from what to what", () => {
    using folder = new TempFolder();
    const history = historyOf(folder, aRecord(first), aRecord(second));
    const reason = (params: object) => history.reasonFor(runsOf({ params })[0]!, "noop@1");
    expect(reason({ x: 2 })).toBe("params changed: x 1 -> 2");
    expect(reason({ x: "1", y: [2] })).toBe('params changed: x 1 -> "1", y (absent) -> [2]');
    expect(reason({})).toBe("params changed: x 1 -> (absent)");
    history.close();
  });

  test("is that the program changed, or that its place in the matrix is new", () => {
    using folder = new TempFolder();
    const history = historyOf(folder, aRecord(first));
    expect(history.reasonFor(runsOf({}, "noop@2")[0]!, "noop@2")).toBe("program changed");
    expect(history.reasonFor(runsOf({ axes: [axis("n", 3)] })[0]!, "noop@1")).toBe("new");
    expect(history.reasonFor(runsOf({ seeds: [2] })[0]!, "noop@1")).toBe("new");
    history.close();
  });

  test("is that its task changed, or the tasks of the program that chooses among them, or its iterations", () => {
    using folder = new TempFolder();
    const at = (version: string, program = "noop@1") => {
      const part = { tasks: ["one"], taskVersions: { one: version } };
      return runsOf(part, program)[0]!;
    };
    const history = historyOf(folder, aRecord(at("a")));
    expect(history.isFinished(at("a"))).toBe(true);
    expect(history.reasonFor(at("b"), "noop@1")).toBe("task changed");
    expect(history.reasonFor(at("b", "noop@2"), "noop@2")).toBe("program changed");
    history.close();
    const [run] = runsOf({}, "x") as [RunRecord];
    const reason = (before: string, now: string) => {
      const past = historyOf(folder, aRecord({ ...first, program: before }));
      const why = past.reasonFor(run, now);
      past.close();
      return why;
    };
    expect(reason("noop@1 tasks#aa x1+2", "noop@1 tasks#bb x1+2")).toBe("tasks changed");
    expect(reason("noop@1 tasks#aa x1+2", "noop@1 tasks#aa x1+3")).toBe("iterations changed");
    expect(reason("noop@1 tasks#aa", "noop@2 tasks#bb")).toBe("program changed");
    expect(reason("run.sh#1f", "run.sh#1f env#aa")).toBe("environment variables changed");
    expect(reason("run.sh#1f env#aa x1+2", "run.sh#1f env#bb x1+2")).toBe("environment variables changed");
    expect(reason("run.sh#1f cwd#aa env#aa", "run.sh#1f env#aa")).toBe("working folder changed");
  });

  test("follows the newest record of a run", () => {
    using folder = new TempFolder();
    const failure = aRecord({
      ...first,
      outcome: { status: "failed" },
      attempt: 1,
      labels: { long: "é".repeat(9000) },
    });
    const history = historyOf(folder, failure, aRecord({ ...first, attempt: 2 }), failure);
    expect(history.size).toBe(1);
    expect(history.isFinished(first)).toBe(false);
    expect(history.recordOf(first)).toEqual(failure);
    history.close();
  });

  test("knows what the study has cost, failed tries included", () => {
    using folder = new TempFolder();
    const record = aRecord({ ...first, costUsd: 1, earlier: [{ reason: "x", wallMs: 1, costUsd: 0.5 }] });
    expect(historyOf(folder, record, aRecord({ ...second, costUsd: 2 })).costUsd).toBe(3.5);
  });
});

describe("a journal that was torn", () => {
  test("at any byte of its last record is mended, and goes on cleanly", () => {
    using folder = new TempFolder();
    const path = `${folder.path}/journal.jsonl`;
    historyOf(folder, aRecord(first), aRecord(second));
    const whole = readFileSync(path);
    const kept = whole.indexOf(10) + 1;
    for (let cut = kept; cut <= whole.length; cut += cut < whole.length - 3 ? 7 : 1) {
      folder.write("journal.jsonl", whole.subarray(0, cut));
      const history = new History(path, ["n"]);
      const isWhole = cut >= whole.length - 1;
      expect([history.isFinished(first), history.isFinished(second)]).toEqual([true, isWhole]);
      const journal = new Journal(path, history, NOTHING);
      journal.append([aRecord(second)]);
      journal.close();
      const lines = folder.read("journal.jsonl").split("\n").filter(Boolean);
      expect(lines.map((line) => JSON.parse(line).id)).toEqual([
        first.id,
        second.id,
        ...(isWhole ? [second.id] : []),
      ]);
    }
  });

  test("in the middle keeps what it has, and says how many lines are lost", () => {
    using folder = new TempFolder();
    historyOf(folder, aRecord(first));
    appendFileSync(`${folder.path}/journal.jsonl`, `{"id":"torn${JSON.stringify(aRecord(second))}\n`);
    const history = new History(`${folder.path}/journal.jsonl`, ["n"]);
    expect(history).toMatchObject({ size: 1, brokenLines: 1 });
    truncateSync(`${folder.path}/journal.jsonl`, 0);
  });
});

describe("a journal that is written", () => {
  test("has no secret in it", () => {
    using folder = new TempFolder();
    const path = `${folder.path}/journal.jsonl`;
    const journal = new Journal(
      path,
      { goodBytes: 0, needsNewline: false },
      createRedactor({ API_KEY: 'canary"42' }),
    );
    journal.append([aRecord({ labels: { said: 'key canary"42' } })]);
    journal.close();
    expect(JSON.parse(folder.read("journal.jsonl")).labels.said).toBe("key [secret API_KEY]");
  });
});
