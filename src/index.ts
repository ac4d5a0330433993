/** Everything that the command line does, for programs: `import { runStudy } from "assay"`. */

import * as z from "zod";
import { nativeSchema } from "./dialects/native-schema.ts";
import type { Target } from "./targets/target.ts";

export type { HistoryFindings } from "./analysis/history/history.ts";
export { instanceRow } from "./analysis/instances/instance-table.ts";
export { type InstancesSummary, summariseInstances } from "./analysis/instances/summarise-instances.ts";
export { type BestOptions, type BestStudy, bestStudy } from "./api/best-study.ts";
export { compareStudies } from "./api/compare-studies.ts";
export { type Confirmed, type ConfirmOptions, confirmStudy } from "./api/confirm-study.ts";
export { type EvaluateOptions, type Evaluation, evaluateLaunch } from "./api/evaluate-launch.ts";
export { type HistoryRequest, historyStudy } from "./api/history-study.ts";
export { type LockOptions, lockStudy } from "./api/lock-study.ts";
export { type PlotOptions, plotStudy } from "./api/plot-study.ts";
export { type PowerFindings, type PowerStudyOptions, powerStudy } from "./api/power-study.ts";
export { type QueryResult, queryStudy } from "./api/query-study.ts";
export { type RankFindings, type RankStudyOptions, rankStudy } from "./api/rank-study.ts";
export {
  type Recommendation,
  type RecommendOptions,
  recommend,
  recommendFarm,
  suites,
} from "./api/recommend.ts";
export { reportStudy } from "./api/report-study.ts";
export { runPrepared, runStudy } from "./api/run-study.ts";
export { type StudyChanges, studyChanges } from "./api/study-changes.ts";
export { type StudyStatus, studyStatus } from "./api/study-status.ts";
export { type VarianceOptions, varianceStudy } from "./api/variance-study.ts";
export type { Collected, CollectOptions } from "./archive/collect.ts";
export { collect } from "./archive/collect.ts";
export { findStudy, latestRecords, listStudies, readStudyFile } from "./archive/read-records.ts";
export { UserError } from "./core/errors.ts";
export type { InstanceRow } from "./core/instance.ts";
export type { Run, RunRecord } from "./core/run.ts";
export type { Sink, StudyEvent, StudySummary } from "./core/sink.ts";
export type { Study } from "./core/study.ts";
export type { StudyFile } from "./core/study-folder.ts";
export type { RunOptions, StudyResult } from "./launch/launch-study.ts";
export { type LoadedStudy, loadStudies, loadStudy, type Overrides } from "./launch/load-study.ts";
export { type PreparedStudy, prepareStudy } from "./launch/prepare-study.ts";
export { Plan } from "./plan/plan.ts";
export type { CompareRequest } from "./read/compare/request.ts";
export { type LaunchRun, type LaunchSummary, summariseLaunch } from "./read/summarise-launch.ts";

/** The JSON Schema of the native study file, for editors; with a target, also of its parameters. */
export function studySchema(target?: Target): object {
  const study = z.toJSONSchema(nativeSchema, { io: "input", unrepresentable: "any" });
  return target ? withParams(study as Json, target) : study;
}

/** JSON Schemas of what Assay writes for other programs, by the name of the file or of the command. */
export { outputSchemas } from "./api/output-schemas.ts";

type Json = Record<string, unknown>;

function withParams(study: Json, target: Target): Json {
  const own = z.toJSONSchema(target.params, { io: "input", unrepresentable: "any" });
  // Its definitions move into the study's, under names of their own.
  const moved = JSON.parse(JSON.stringify(own).replaceAll("#/$defs/", "#/$defs/target_")) as Json;
  const params = (moved.properties ?? {}) as Record<string, Json>;
  const keys = study.properties as Record<string, Json>;
  const axes = Object.entries(params).map(([name, param]) => {
    const values = { type: "array", items: param, minItems: 1 };
    const axis = { type: "object", properties: { values, when: { type: "string" } }, required: ["values"] };
    return [name, { description: param.description, anyOf: [values, axis] }];
  });
  const definitions = Object.entries((moved.$defs ?? {}) as Json).map(([name, one]) => [
    `target_${name}`,
    one,
  ]);
  return {
    ...study,
    $defs: { ...(study.$defs as Json), ...Object.fromEntries(definitions) },
    properties: {
      ...keys,
      params: { ...keys.params, properties: params },
      matrix: { ...keys.matrix, properties: Object.fromEntries(axes) },
    },
  };
}
