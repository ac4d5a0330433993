import { describe, expect, test } from "vitest";
import { metricFacts, metricValue, withoutStatistics } from "../../src/design/metric.ts";
import { comparedAs } from "../../src/design/statistic.ts";

const spread = {
  duration_ms: 3,
  duration_ms_min: 1,
  duration_ms_p50: 2,
  duration_ms_sd: 1,
  duration_ms_n: 20,
};
const record = (metrics: Record<string, number | null>) => ({ metrics });

describe("the number of each run by which a metric is compared", () => {
  test("is the fastest iteration of a body that computes", () => {
    expect(comparedAs("duration_ms", [record(spread)])).toEqual({
      name: "duration_ms_min",
      why: expect.stringContaining("fastest iteration"),
    });
    const busy = [0.02, 0.1, 0.9].map((share) => record({ ...spread, waiting_share: share }));
    expect(comparedAs("duration_ms", busy).name).toBe("duration_ms_min");
  });

  test("is the processor time of a body that hardly waits, where the kernel counted that of every run", () => {
    const counted = { ...spread, cpu_ms: 1.4, cpu_ms_min: 1.2, cpu_ms_sd: 0.1, waiting_share: 0.02 };
    expect(comparedAs("duration_ms", [record(counted)])).toEqual({
      name: "cpu_ms_min",
      why: expect.stringContaining("processor time"),
    });
    expect(comparedAs("duration_ms", [record({ duration_ms: 90, cpu_ms: 80, waiting_share: 0 })]).name).toBe(
      "cpu_ms",
    );
    const nameOf = (...records: Record<string, number>[]) =>
      comparedAs("duration_ms", records.map(record)).name;
    expect(nameOf(counted, { ...spread, waiting_share: 0 })).toBe("duration_ms_min");
    expect(nameOf({ ...counted, waiting_share: 0.3 })).toBe("duration_ms_min");
    // Two threads that compute at once: their sum is not how long it took.
    expect(nameOf({ ...counted, waiting_share: -0.9 })).toBe("duration_ms_min");
    expect(nameOf({ ...counted, cpu_ms: 0.2 })).toBe("duration_ms_min");
    expect(comparedAs("duration_ms_min", [record(counted)]).name).toBe("duration_ms_min");
  });

  test("keeps goal and scale of the duration that it stands for", () => {
    const analysis = { metric: "duration_ms", goal: "minimize", scale: "ratio" } as const;
    expect(metricFacts("cpu_ms_min", { analysis })).toMatchObject({
      goal: "minimize",
      scale: "ratio",
      unit: "ms",
    });
  });

  test("is the median of a body that waits", () => {
    const waiting = [0.9, 0.8, 0.1].map((share) => record({ ...spread, waiting_share: share }));
    expect(comparedAs("duration_ms", waiting)).toEqual({
      name: "duration_ms_p50",
      why: expect.stringContaining("waits 80 % of its time"),
    });
  });

  test("is the metric itself where it is no time, was measured once, or is wanted large", () => {
    const score = record({ score: 1, score_min: 0, score_sd: 1, score_n: 5 });
    expect(comparedAs("score", [score])).toEqual({ name: "score", why: null });
    expect(comparedAs("duration_ms", [record({ duration_ms: 3 })]).name).toBe("duration_ms");
    const uptime = { uptime_s: 3, uptime_s_min: 1, uptime_s_sd: 1 };
    expect(comparedAs("uptime_s", [record(uptime)], { asked: { goal: "maximize" } }).name).toBe("uptime_s");
  });

  test("is the one that was named where one was", () => {
    expect(comparedAs("duration_ms_mean", [record(spread)]).name).toBe("duration_ms_mean");
    expect(comparedAs("duration_ms_p50", [record(spread)]).name).toBe("duration_ms_p50");
  });
});

test("a least time is known by its name, or by what the target says of the time", () => {
  const isLeastTime = (...about: Parameters<typeof metricFacts>) => metricFacts(...about).isLeastTime;
  for (const name of ["duration_ms_min", "duration_s_min", "cpu_ms", "cpu_s", "cpu_ms_min"])
    expect(isLeastTime(name), name).toBe(true);
  // The last one is in minutes.
  for (const name of ["duration_ms", "duration_ms_p50", "score_min", "lead_time_min"])
    expect(isLeastTime(name), name).toBe(false);
  const infos = {
    latency: { unit: "ms", direction: "minimize" },
    queue_min: { unit: "min", direction: "none" },
  } as const;
  expect(isLeastTime("latency_min", { infos })).toBe(true);
  expect(isLeastTime("queue_min", { infos })).toBe(false);
});

test("a statistic of iterations that were all alike is their one value", () => {
  expect(metricValue({ rows: 7 }, "rows_min")).toBe(7);
  expect(metricValue({ rows: 7 }, "rows_sd")).toBeNull();
  expect(metricValue(spread, "duration_ms_mean")).toBe(3);
  expect(metricValue(spread, "duration_ms_p25")).toBeNull();
  expect(metricValue({}, "duration_ms_min")).toBeNull();
});

test("statistics are no metrics by themselves, but a target's own metric of such a name is", () => {
  expect(withoutStatistics([...Object.keys(spread), "latency_p50"])).toEqual(["duration_ms", "latency_p50"]);
  expect(withoutStatistics(Object.keys(spread), ["duration_ms_min"])).toEqual([
    "duration_ms",
    "duration_ms_min",
  ]);
});
