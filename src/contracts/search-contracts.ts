import assert from "node:assert/strict";
import { canonicalJson } from "../core/hash.ts";
import type { Params } from "../core/params.ts";
import type { SpaceParameter } from "../core/space.ts";
import type { Evaluation, Problem, Searcher } from "../search/searchers/searcher.ts";
import type { Race, RunSeries, Stopper } from "../search/stoppers/stopper.ts";
import { type Check, type ContractOptions, frozen } from "./contract.ts";

function integer(name: string, min: number, max: number, when?: string): SpaceParameter {
  const distribution = { kind: "integer" as const, min, max, scale: "linear" as const, step: 1 };
  return { name, path: [name], distribution, ...(when !== undefined && { when }) };
}

/** Whole numbers only, and finite: what every searcher can search. */
const CONDITIONAL = [integer("kind", 0, 1), integer("x", 0, 9, "kind == 1"), integer("depth", 1, 8)];
const LATTICE = [integer("a", 1, 4), integer("b", 0, 2)];

/** What all searchers promise: replays, no point twice, an end. */
export function searcherContract(searcher: Searcher, { options = {} }: ContractOptions): Check[] {
  const on = (space: SpaceParameter[], rest: Partial<Problem> = {}): Problem => ({
    ...{ space, objectives: [{ metric: "loss", goal: "minimize" }], seed: 1 },
    options: searcher.options.parse(options),
    ...rest,
  });
  const walk = (problem: Problem, runs: number): Evaluation[] => {
    const history: Evaluation[] = [];
    for (let i = 0; i < runs; i++) {
      const [params] = searcher.ask(history, 1, problem);
      if (!params) break;
      history.push({ params, state: "ok", values: [lossAt(params)] });
    }
    return history;
  };
  return [
    {
      title: "proposes the same points for the same history and seed, whatever it was asked before",
      check() {
        const history = walk(on(CONDITIONAL), 16);
        const again = on(CONDITIONAL);
        assert.deepEqual(
          searcher.ask(history, 3, again),
          searcher.ask(structuredClone(history), 3, on(CONDITIONAL)),
        );
        assert.deepEqual(searcher.ask(history.slice(0, 8), 1, again)[0], history[8]?.params);
      },
    },
    {
      title: "proposes no point twice, nor one that is in flight",
      check() {
        const problem = on(CONDITIONAL);
        const batch = searcher.ask([], 12, problem);
        const inFlight: Evaluation[] = batch.map((params) => ({ params, state: "pending", values: [] }));
        const all = [...batch, ...searcher.ask(inFlight, 4, problem)];
        assert.equal(new Set(all.map(canonicalJson)).size, all.length);
      },
    },
    {
      title: "gives a parameter only where its condition holds, and all others always",
      check() {
        for (const { params } of walk(on(CONDITIONAL), 20)) {
          assert.equal("x" in params, params.kind === 1, canonicalJson(params));
          assert.ok(Number.isInteger(params.depth), canonicalJson(params));
        }
      },
    },
    {
      title: "proposes only what satisfies where",
      check() {
        for (const { params } of walk(on(LATTICE, { where: "a > b + 1" }), 20))
          assert.ok(Number(params.a) > Number(params.b) + 1, canonicalJson(params));
      },
    },
    {
      title: "ends when a finite space is used up, with no point twice",
      check() {
        const history = walk(on(LATTICE), 50);
        assert.ok(history.length <= 12, `${history.length} points of a space of 12`);
        assert.equal(new Set(history.map(({ params }) => canonicalJson(params))).size, history.length);
      },
    },
    {
      title: "goes on when every run fails, and when values are not numbers",
      check() {
        const problem = on(CONDITIONAL);
        const history: Evaluation[] = [];
        for (let i = 0; i < 12; i++) {
          const [params] = searcher.ask(history, 1, problem);
          if (!params) break;
          const isFailed = i % 3 > 0;
          history.push({
            ...{ params, state: isFailed ? "failed" : "ok", values: isFailed ? [] : [Number.NaN] },
          });
        }
        assert.equal(new Set(history.map(({ params }) => canonicalJson(params))).size, history.length);
      },
    },
    {
      title: "hands out nothing when asked for nothing, and changes nothing that it is handed",
      check() {
        assert.deepEqual(searcher.ask([], 0, on(LATTICE)), []);
        searcher.ask(frozen(walk(on(LATTICE), 4)), 1, on(LATTICE));
      },
    },
  ];
}

function lossAt(params: Params): number {
  return Number(params.depth ?? params.a) + Number(params.x ?? 0.5);
}

/** What all stoppers promise: a verdict for whatever there is, the same for the same. */
export function stopperContract(stopper: Stopper, { options = {} }: ContractOptions): Check[] {
  const series = (id: string, values: number[], state: RunSeries["state"] = "running"): RunSeries => ({
    ...{ id, values, state },
  });
  const good = Array.from({ length: 9 }, (_, i) => series(`good${i}`, [3, 2, 1 + i / 100], "ok"));
  const races: Record<string, Race> = {
    "a run that has reported nothing": { run: series("r", []), others: good, goal: "minimize" },
    "the only run": { run: series("r", [1, 2, 3]), others: [], goal: "minimize" },
    "a run that is worse than all others": { run: series("r", [9, 9, 9]), others: good, goal: "minimize" },
    "a run that is better than all others": { run: series("r", [3, 2, 0]), others: good, goal: "minimize" },
    "a run that has diverged": { run: series("r", [1, Number.NaN]), others: good, goal: "maximize" },
    "others that failed or reported nothing": {
      run: series("r", [1, 2]),
      others: [series("a", [], "failed"), series("b", [Number.NaN], "failed"), series("c", [])],
      goal: "maximize",
    },
    "steps that are not counted by one": {
      run: { ...series("r", [5, 4]), steps: [10, 20] },
      others: good.map((one) => ({ ...one, steps: [10, 20, 40] })),
      goal: "minimize",
    },
  };
  return Object.entries(races).map(([title, race]) => ({
    title: `judges ${title}, and the same way twice`,
    check() {
      const parsed = stopper.options.parse(options);
      const verdict = stopper.judge(frozen(structuredClone(race)), parsed);
      assert.equal(typeof verdict.stop, "boolean");
      assert.ok(typeof verdict.why === "string" && verdict.why !== "", "why is a sentence");
      assert.deepEqual(stopper.judge(structuredClone(race), stopper.options.parse(options)), verdict);
    },
  }));
}
