import { mkdirSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Executor } from "../../../src/core/executor.ts";
import type { Params } from "../../../src/core/params.ts";
import { RandomStream, shuffle } from "../../../src/core/random.ts";
import { failed, OK, type Outcome, type Run } from "../../../src/core/run.ts";
import type { Search } from "../../../src/core/space.ts";
import type { PreparedStudy } from "../../../src/launch/prepare-study.ts";
import { earlyStopping, endingRule } from "../../../src/launch/search/early-stopping.ts";
import { StoppingExecutor } from "../../../src/launch/stopping-executor.ts";
import { Ledger } from "../../../src/search/shared/ledger.ts";
import { PointBook } from "../../../src/search/shared/point-book.ts";
import type { Race } from "../../../src/search/stoppers/stopper.ts";
import { aRecord, aRun, aStudy } from "../../support/a-study.ts";
import { TempFolder } from "../../support/temp-folder.ts";

const search = {
  ...{ method: "random", options: {}, space: [], constraints: [], seed: 1 },
  objectives: [{ metric: "f", goal: "minimize" }],
  earlyStop: { kind: "wilcoxon", options: {} },
} as Search;

describe("a point", () => {
  /** Runs of one point: so many repeats of one seed. */
  const runsOf = (x: number, count: number): Run[] =>
    Array.from({ length: count }, (_, repeat) =>
      aRun({ id: `x${x}__${String(x * 100 + repeat).padStart(12, "0")}`, params: { x }, repeat }),
    );

  const verdictOn = (values: number[], outcome: Outcome) => {
    const book = new PointBook("/nowhere", { runsOf: ({ x }) => runsOf(Number(x), 6) });
    book.addPoints(
      [0, 1].map((number) => ({ number, params: { x: number }, journalBytes: 0, isAsked: true, handed: 6 })),
    );
    for (const run of runsOf(0, 6)) book.place(aRecord({ ...run, metrics: { f: 1 } }));
    for (const [i, run] of runsOf(1, values.length).entries())
      book.place(aRecord({ ...run, metrics: { f: values[i]! }, outcome }));
    const plan = { count: () => 6, axisNames: [] };
    const prepared = { study: aStudy({ search }), plan } as unknown as PreparedStudy;
    const { isLost } = earlyStopping(prepared, ({ x }) => runsOf(Number(x), 6))!;
    return isLost!(book.points[1]!, book);
  };

  test("is lost when it is worse repeat by repeat", () => {
    expect(verdictOn([2, 2, 2, 2, 2], OK)).toBe("wilcoxon: 5 pairs with point 0: one-sided p = 0.0313");
  });

  test("is not judged by runs that failed, whatever they reported", () => {
    expect(verdictOn([2, 2, 2, 2, 2], failed("agent", "it broke"))).toBeUndefined();
  });
});

describe("points that race", () => {
  const TASKS = 60;
  const earlyStop = { kind: "race", options: { range: [0, 1] } };
  const racing = {
    ...search,
    points: 2,
    objectives: [{ metric: "f", goal: "maximize" }],
    earlyStop,
  } as Search;
  const runsOf = (x: number): Run[] =>
    Array.from({ length: TASKS }, (_, task) =>
      aRun({ id: `x${x}__${String(x * 1000 + task).padStart(12, "0")}`, params: { x }, task: `t${task}` }),
    );
  /** The first point solves 3 of 4 tasks, the second 1 of 4. */
  const solves = ({ params, task }: Run) => {
    const share = new RandomStream(7, `outcomes of ${Number(params.x)}`).uniform(Number(task!.slice(1)));
    return share < (params.x === 0 ? 0.75 : 0.25) ? 1 : 0;
  };

  /** What is said of the second point whenever a run has ended. */
  function follow(runs: readonly Run[]): (string | undefined)[] {
    const rules = ({ x }: Params) => runsOf(Number(x));
    const book = new PointBook("/nowhere", { runsOf: rules });
    book.addPoints(
      [0, 1].map((number) => ({ number, params: { x: number }, journalBytes: 0, isAsked: true, handed: 0 })),
    );
    const plan = { count: () => TASKS, axisNames: [] };
    const prepared = { study: aStudy({ search: racing }), plan } as unknown as PreparedStudy;
    const { isLost } = earlyStopping(prepared, rules)!;
    return runs.map((run) => {
      book.place(aRecord({ ...run, metrics: { f: solves(run) } }));
      return isLost!(book.points[1]!, book);
    });
  }

  test("are judged alike in whichever order their runs end, and by quick tasks no sooner than by slow ones", () => {
    const [first, second] = [runsOf(0), runsOf(1)];
    const inTurn = follow(first.flatMap((run, i) => [run, second[i]!]));
    const verdict = inTurn.find((why) => why !== undefined);
    expect(verdict).toMatch(/^race: \d+ pairs with point 0/);
    const pairs = 1 + Math.floor(inTurn.indexOf(verdict) / 2);
    for (let seed = 0; seed < 20; seed++) {
      const order = shuffle([...first, ...second], new RandomStream(seed, "ends"));
      const said = follow(order);
      // Whichever run is the last of those that the verdict needs.
      const needed = new Set([...first.slice(0, pairs), ...second.slice(0, pairs)]);
      const at = order.findLastIndex((run) => needed.has(run));
      expect(said.slice(0, at)).toEqual(Array(at).fill(undefined));
      expect(said.slice(at)).toEqual(Array(order.length - at).fill(verdict));
    }
  });
});

describe("a run", () => {
  afterEach(() => void vi.useRealTimers());

  test("is compared with each other run once, as it is now, though that is done again", async () => {
    vi.useFakeTimers();
    using folder = new TempFolder();
    const series = (id: string, ...values: number[]) => {
      mkdirSync(`${folder.path}/runs/${id}`, { recursive: true });
      const lines = values.map((f, i) => JSON.stringify({ step: i + 1, f }));
      writeFileSync(`${folder.path}/runs/${id}/series.jsonl`, `${lines.join("\n")}\n`);
    };
    const [own, again] = ["own__000000000001", "again__000000000002"].map((id) =>
      aRun({ id, params: { x: id } }),
    );
    const book = new PointBook("/nowhere", { runsOf: ({ x }) => [x === own!.id ? own! : again!] });
    const ledger = new Ledger(folder.path);
    ledger.join();
    // The same point twice, with a run that failed and has been taken again.
    for (const number of [0, 1])
      book.addPoints([{ number, params: { x: again!.id }, journalBytes: 0, isAsked: true, handed: 1 }]);
    book.place(aRecord({ ...again!, outcome: failed("agent", "it broke"), attempt: 1 }));
    ledger.take(again!);
    series(again!.id, 5, 4);
    const races: Race[] = [];
    const ends: (() => void)[] = [];
    const inner = {
      ...{ name: "fake", capacity: 1, drain: () => {}, close: async () => {} },
      execute: () =>
        new Promise((resolve) => {
          ends.push(() => resolve({ outcome: OK, metrics: {}, startedAtMs: 0, wallMs: 1 }));
        }),
    } as unknown as Executor;
    const judge = (race: Race) => {
      races.push(race);
      return { stop: false, why: "" };
    };
    const executor = new StoppingExecutor(
      inner,
      endingRule({ studyDir: folder.path, ledger, book, search, judge }),
    );
    const running = executor.execute({ run: own!, attempt: 1 }, new AbortController().signal);
    series(own!.id, 3);
    vi.advanceTimersByTime(1000);
    // It ends well; then the next step of the run is judged.
    series(again!.id, 2, 1);
    ledger.release(again!);
    book.place(aRecord({ ...again!, attempt: 2 }));
    series(own!.id, 3, 2);
    vi.advanceTimersByTime(1000);
    expect(races.map(({ others }) => others)).toEqual([
      [{ id: again!.id, state: "running", values: [5, 4], steps: [1, 2] }],
      [{ id: again!.id, state: "ok", values: [2, 1], steps: [1, 2] }],
    ]);
    for (const end of ends) end();
    await running;
    await executor.close();
    ledger.close();
  });
});
