import { expect, test } from "vitest";
import { findMetricInfo, type MetricInfo } from "../../src/core/run.ts";
import type { StudyFile } from "../../src/core/study-folder.ts";
import { factsOf } from "../../src/read/metric-info.ts";

const studyOf = (name: string) => ({ study: { target: { kind: "shipped", name } } }) as StudyFile;

test("a part of a metric has its unit and its goal", async () => {
  const study = studyOf("spatial_comprehensive");
  const whole = await factsOf(study, "update_ms");
  expect(whole).toMatchObject({ unit: "ms", goal: "minimize" });
  expect(await factsOf(study, "update_ms.quadtree.n1000")).toEqual({
    ...whole,
    name: "update_ms.quadtree.n1000",
  });
});

test("a study's own record of its metrics goes before what a target says now", async () => {
  const study = {
    ...studyOf("noop"),
    metrics: { waiting_s: { unit: "min", direction: "maximize" } },
  } as StudyFile;
  expect(await factsOf(study, "waiting_s")).toMatchObject({ unit: "min", goal: "maximize" });
});

test("a name with a star stands for a family of metrics", () => {
  const info: MetricInfo = { unit: "", direction: "maximize", range: [0, 1] };
  expect(findMetricInfo({ "rubric/*": info }, "rubric/readable")).toBe(info);
  expect(findMetricInfo({ "rubric/*": info }, "rubric")).toBe(undefined);
  expect(findMetricInfo({ "rubric/*": info }, "toString")).toBe(undefined);
});

test("of an unknown metric the name may tell the unit, and nothing the goal", async () => {
  expect(await factsOf(studyOf("noop"), "waiting_s")).toMatchObject({ unit: "s", goal: null });
  expect(await factsOf(undefined, "score")).toMatchObject({ unit: null, goal: null });
});
