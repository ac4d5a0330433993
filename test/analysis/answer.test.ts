import { describe, expect, test } from "vitest";
import { answerOf } from "../../src/analysis/answer.ts";
import type { RunRecord } from "../../src/core/run.ts";
import type { Analysis } from "../../src/core/study.ts";
import { designOf } from "../../src/design/design.ts";
import { type MetricFacts, metricFacts } from "../../src/design/metric.ts";
import { observe, scalarReader } from "../../src/design/observe.ts";
import { aMatrix, product } from "../support/a-matrix.ts";
import { aStudy, axis } from "../support/a-study.ts";

const metric = { name: "makespan_p95_ms", unit: "ms", goal: "minimize" as const };
const values = { fifo: [100, 100, 100, 100], dag: [99, 101, 100, 100], full: [69, 70, 68, 69] };
const names = ["fifo", "dag", "full"] as const;

/** Asks a study of three policies; `cost` is what the runs of each cost. */
function ask(analysis: Analysis, cost: Record<string, number> = {}, given: typeof values = values) {
  const study = aStudy({ axes: [axis("policy", ...names)], analysis });
  const records = aMatrix(product({ policy: names }), [1, 2, 3, 4], ({ policy }, seed) => ({
    [metric.name]: given[policy as "fifo"][seed - 1]!,
    cost_usd: (cost[String(policy)] ?? 1) * (1 + seed / 100),
  }));
  return answerFor(study, records, metric);
}

function answerFor(study: ReturnType<typeof aStudy>, records: RunRecord[], facts: MetricFacts) {
  const { analysis } = study;
  const design = designOf([{ label: "s", dir: "", study, records }]);
  const also = (analysis.also ?? []).map(({ metric: name }) => metricFacts(name, { analysis }));
  const [set, ...others] = observe(design, [facts, ...also].map(scalarReader));
  return answerOf({ design, metric: facts, set: set!, also: others });
}

const declared = { metric: metric.name, baseline: { policy: "fifo" } };

describe("the answer of a study", () => {
  // Differences -31 ± t(.975, 3) · sqrt(2/3) / 2 = -31 ± 3.18245 · 0.408248 = -31 ± 1.2992, in percent of 100.
  test("names the best arm, the size of the difference with its interval, the seeds and the pairing", () => {
    const answer = ask(declared);
    expect(answer.sentence).toBe(
      "full beats fifo on makespan_p95_ms by 31.0 % [29.3, 32.7], 4 seeds, paired.",
    );
    expect(answer.standing.status).toBe("declared");
    expect(answer.verdict).toBe("better");
    expect(answer.others).toHaveLength(1);
    expect(answer.others[0]).toMatch(/^dag and fifo can't be told apart/);
    expect(answer.method).toContain("95 % confidence interval (paired t");
    expect(answer.method).toContain("2 comparisons by Holm's method");
  });

  test("without a baseline says what is best, what it beats and by how much, and is exploratory", () => {
    const answer = ask({});
    expect(answer.sentence).toMatch(
      /^full is best on makespan_p95_ms: it beats (fifo|dag), the next best, by 3/,
    );
    expect(answer).toMatchObject({ standing: { status: "exploratory" }, verdict: "better", leader: "full" });
    const close = ask({}, {}, { ...values, full: [99, 100, 100, 101] });
    expect(close.sentence).toMatch(/ leads on makespan_p95_ms, but can't be told from /);
  });

  test("says so when the baseline is best, and when nothing beats it", () => {
    const best = ask({ ...declared, baseline: { policy: "full" } });
    expect(best.sentence).toMatch(
      /^full, the baseline, is best on makespan_p95_ms: (fifo|dag) is worse than full/,
    );
    expect(best.verdict).toBe("better");
    const open = ask(
      { ...declared, baseline: { policy: "dag" } },
      {},
      { ...values, full: [169, 170, 168, 169] },
    );
    expect(open.sentence).toBe(
      "No arm beats dag, the baseline, on makespan_p95_ms: fifo can't be told from it; full is worse.",
    );
  });

  test("tells beside it what the winner pays on the metrics that the study also names", () => {
    const also = [{ metric: "cost_usd", goal: "minimize" as const }];
    const dear = ask({ ...declared, also }, { full: 4 });
    expect(dear.also).toEqual([expect.stringMatching(/^But full is worse than fifo on cost_usd by 300/)]);
    expect(ask({ ...declared, also }, { full: 0.5 }).also[0]).toMatch(/^full beats fifo on cost_usd by 50/);
    expect(ask(declared).also).toEqual([]);
  });

  // Mean 2, sd 1, t(.975, 2) = 4.302653: 2 ± 4.302653 / sqrt(3) = 2 ± 2.48414.
  test("of one arm is its mean with the interval", () => {
    const records = aMatrix([{ params: {} }], [1, 2, 3], (_, seed) => ({ x: seed }));
    const study = aStudy({ analysis: { metric: "x" } });
    const answer = answerFor(study, records, { name: "x", unit: "s", goal: null });
    expect(answer.sentence).toBe("x is 2.0 s [−0.5, 4.5] on average, 3 seeds.");
    expect(answer).toMatchObject({ standing: { status: "declared" }, verdict: "unknown" });
  });

  test("of one value says why nothing is known of its spread, and of none that it is unknown", () => {
    const records = aMatrix([{ params: {} }], [1], () => ({ x: 7 }));
    const sentence = (name: string) =>
      answerFor(aStudy(), records, { name, unit: null, goal: null }).sentence;
    expect(sentence("x")).toMatch(/^x is 7, 1 seed; no interval, because /);
    expect(sentence("y")).toBe("y is unknown: no run has a value for it.");
  });
});
