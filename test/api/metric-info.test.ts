import { expect, test } from "vitest";
import { metricInfo } from "../../src/api/metric-info.ts";
import type { StudyFile } from "../../src/core/study-file.ts";

const studyOf = (name: string) => ({ study: { target: { kind: "shipped", name } } }) as StudyFile;

test("a part of a metric has its unit and its goal", async () => {
  const study = studyOf("spatial_comprehensive");
  const whole = await metricInfo(study, "update_ms");
  expect(whole).toEqual({ unit: "ms", goal: "minimize" });
  expect(await metricInfo(study, "update_ms.quadtree.n1000")).toEqual(whole);
});

test("of an unknown metric the name may tell the unit, and nothing the goal", async () => {
  expect(await metricInfo(studyOf("noop"), "waiting_s")).toEqual({ unit: "s", goal: null });
  expect(await metricInfo(undefined, "score")).toEqual({ unit: null, goal: null });
});
