import { describe, expect, test } from "vitest";
import { compareArms } from "../../../src/analysis/compare/compare-arms.ts";
import { StudyFollower } from "../../../src/analysis/decide/follow-study.ts";
import { RandomStream, shuffle } from "../../../src/core/random.ts";
import type { Run, RunRecord } from "../../../src/core/run.ts";
import type { Decide, Study } from "../../../src/core/study.ts";
import { designOf } from "../../../src/design/design.ts";
import { metricFacts } from "../../../src/design/metric.ts";
import { observe, scalarReader } from "../../../src/design/observe.ts";
import { Plan } from "../../../src/plan/plan.ts";
import { aRecord, aStudy, axis } from "../../support/a-study.ts";

const TASKS = Array.from({ length: 60 }, (_, i) => `t${i}`);

function study(decide: Partial<Decide> = {}, part: Partial<Study> = {}): Study {
  return aStudy({
    axes: [axis("arm", "old", "new")],
    tasks: TASKS,
    analysis: {
      metric: "solved",
      goal: "maximize",
      baseline: { arm: "old" },
      decide: { until: "decided", range: [0, 1], ...decide },
    },
    ...part,
  });
}

const plan = (of: Study) => [...new Plan(of, "noop@1").runs()];
const follow = (of: Study) => new StudyFollower(of, plan(of));

/** The new arm solves every task, the old one every third. */
function outcome(run: Run): RunRecord {
  const solved = run.params.arm === "new" || TASKS.indexOf(run.task ?? "") % 3 === 0 ? 1 : 0;
  return aRecord({ ...run, metrics: { solved } });
}

describe("a study that decides as it goes", () => {
  test("comes to the same decision in whichever order its runs end", () => {
    const own = study();
    const decisions = [1, 2, 3].map((seed) => {
      const follower = follow(own);
      for (const run of shuffle(plan(own), new RandomStream(seed, "ends"))) follower.note(outcome(run));
      return follower.decision;
    });
    expect(decisions[0]).toMatchObject({ isDecided: true, of: 60, noun: "task" });
    expect(decisions[0]!.rounds).toBeLessThan(20);
    expect(decisions[1]).toEqual(decisions[0]);
    expect(decisions[2]).toEqual(decisions[0]);
    expect(decisions[0]!.sentence).toMatch(/^Decided in \d+ of 60 tasks: new is better than old/);
  });

  test("counts what the agent broke as the worst value that the metric can have, as compare does", () => {
    const own = study({ until: "budget" });
    const score = (run: Run) => {
      const isBroken = run.params.arm === "new" && run.task === "t7";
      if (isBroken) return aRecord({ ...run, outcome: { status: "failed", owner: "agent" }, metrics: {} });
      return aRecord({ ...run, metrics: { solved: run.params.arm === "new" ? 0.75 : 0.5 } });
    };
    const records = plan(own).map(score);
    const follower = follow(own);
    for (const record of records) follower.note(record);
    const [standoff] = follower.standoffs();
    expect(follower.decision.rounds).toBe(60);
    const mean = (59 * 0.25 - 0.5) / 60;
    const design = designOf([{ label: "own", dir: "", study: own, records }]);
    const facts = metricFacts("solved", { analysis: own.analysis });
    const [comparison] = compareArms(observe(design, [scalarReader(facts)])).comparisons;
    expect(comparison!.difference).toMatchObject({ value: expect.closeTo(mean, 9) });
    expect(standoff!.interval!.estimate).toBeCloseTo(mean, 9);
  });

  describe("with history", () => {
    /** Agents of old split on t0 to t29 and all solved the others. */
    const easiness = Object.fromEntries(TASKS.map((task, i) => [task, i < 30 ? 0 : 5]));
    const own = study({}, { easiness });

    test("draws tasks sooner on which agents of their ability differ, some at a time, by what was seen before", () => {
      const follower = follow(own);
      expect(follower.drawn).toBe(8);
      const ends: number[] = [];
      for (let done = 0; !follower.isOver; done++) {
        for (const arm of follower.running)
          for (const run of follower.rounds[done]!.runs.get(arm)!)
            follower.note(aRecord({ ...run, metrics: { solved: done % 2 } }));
        if (follower.drawn !== ends.at(-1)) ends.push(follower.drawn);
      }
      expect(ends).toEqual([8, 16, 32, 60]);
      const units = follower.rounds.map(({ unit }) => unit);
      expect(new Set(units).size).toBe(60);
      const split = (from: number, to: number) =>
        units.slice(from, to).filter((unit) => TASKS.indexOf(unit) < 30).length;
      expect(split(0, 30)).toBeGreaterThan(split(30, 60) + 5);
    });

    test("comes to the same decision in whichever order its runs end", () => {
      const decisions = [1, 2, 3].map((seed) => {
        const follower = follow(own);
        for (const run of shuffle(plan(own), new RandomStream(seed, "ends"))) follower.note(outcome(run));
        return follower.decision;
      });
      expect(decisions[0]).toMatchObject({ isDecided: true, of: 60, pairs: [{ verdict: "better" }] });
      expect(decisions[0]!.sentence).toMatch(
        /\(difference \+[\d.]+ points \[\+[\d.]+, \+[\d.]+\], 95 % at every look\)\.$/,
      );
      expect(decisions[1]).toEqual(decisions[0]);
      expect(decisions[2]).toEqual(decisions[0]);
    });

    test("needs tasks and a range", () => {
      const { tasks: _, ...seeds } = study({}, { easiness, seeds: [1, 2, 3] });
      expect(() => follow(seeds)).toThrow("a study of tasks");
      const { range: __, ...decide } = own.analysis.decide!;
      expect(() => follow({ ...own, analysis: { metric: "solved", decide } })).toThrow("a range of solved");
    });
  });

  test("counts a run that the agent broke as the worst value, and leaves out what the machine broke", () => {
    const follower = follow(study());
    const [first, second] = follower.rounds;
    const note = (round: typeof first, arm: string, part: Partial<RunRecord>) =>
      follower.note({ ...outcome(round!.runs.get(arm)![0]!), ...part });
    note(first, "old", { outcome: { status: "failed", owner: "agent" }, metrics: {} });
    note(first, "new", {});
    note(second, "old", { outcome: { status: "failed", owner: "infrastructure" }, metrics: {} });
    note(second, "new", {});
    expect(follower.done).toBe(2);
    expect(follower.standoffs()[0]!.interval).toMatchObject({ estimate: 1 });
    expect(follower.standoffs()[0]!.rounds).toBe(1);
  });

  test("until precise it runs both arms on, and its interval has the width that was asked for", () => {
    const own = study({ until: "precise", precise: { value: 0.2, isShare: true } });
    const follower = follow(own);
    for (const { runs } of follower.rounds)
      for (const arm of follower.running) for (const run of runs.get(arm) ?? []) follower.note(outcome(run));
    const [pair] = follower.standoffs();
    expect(follower.isOver).toBe(true);
    expect(follower.done).toBeLessThan(60);
    expect(pair!.interval!.high - pair!.interval!.low).toBeLessThanOrEqual(0.4);
  });

  test("seeds stand for all seeds: without tasks the set has no end, so what is left of the plan proves nothing", () => {
    const { tasks: _, ...own } = study({ alpha: 1e-9 }, { seeds: [1, 2, 3, 4, 5, 6] });
    const follower = follow(own);
    for (const { runs } of follower.rounds)
      for (const [arm, [run]] of runs)
        follower.note(aRecord({ ...run!, metrics: { solved: arm === "new" ? 1 : 0 } }));
    expect(follower).toMatchObject({ isOver: true, isDecided: false, noun: "seed" });
  });

  test("says what it lacks: a metric, a second arm, a range for a margin in percent, a value within the range", () => {
    expect(() => follow(study({}, { analysis: { decide: { until: "decided" } } }))).toThrow("needs a metric");
    expect(() => follow(study({}, { axes: [axis("arm", "old")] }))).toThrow("two arms or more");
    const { range: _, ...decide } = study({ margin: { value: 0.03, isShare: true } }).analysis.decide!;
    expect(() => follow(study({}, { analysis: { metric: "solved", decide } }))).toThrow(
      "whose range is not known",
    );
    const follower = follow(study());
    const run = follower.rounds[0]!.runs.get("old")![0]!;
    expect(() => follower.note({ ...outcome(run), metrics: { solved: 7 } })).toThrow(
      "0 to 1, which deciding counts on",
    );
  });
});
