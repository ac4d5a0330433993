import { statSync } from "node:fs";
import { dirname } from "node:path";
import { readStudyFile } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import type { StudyFile } from "../core/study-folder.ts";
import { loadStudies, type Overrides } from "../launch/load-study.ts";
import { prepareStudy } from "../launch/prepare-study.ts";
import { findLaunch } from "../read/find-launch.ts";
import { type EvalOptions, evaluate } from "./eval.ts";
import { runOne } from "./run.ts";

export interface ScoreOptions extends EvalOptions {
  all?: boolean;
  report: boolean;
  verbose: number;
}

/** Scores the stored outputs of a study, and runs nothing: by its scorers, or by the tests of coding agents' tasks. */
export async function score(named: string, options: ScoreOptions): Promise<void> {
  const isFile = statSync(named, { throwIfNoEntry: false })?.isFile() ?? false;
  const studyDir = isFile ? undefined : findLaunch(named, options);
  const file = studyDir === undefined ? undefined : readStudyFile(studyDir);
  if (studyDir !== undefined && !file?.study.score) return evaluate(named, options);
  const overrides: Overrides = {};
  const outRoot = studyDir === undefined ? options.outRoot : dirname(studyDir);
  if (outRoot !== undefined) overrides.outRoot = outRoot;
  if (options.jobs !== undefined) overrides.jobs = options.jobs;
  const loaded = loadStudies(isFile ? named : specOf(file!), overrides).filter(
    ({ study }) => file === undefined || study.name === file.name,
  );
  for (const one of loaded) {
    const prepared = await prepareStudy(one);
    const { study, spec } = prepared;
    if (!study.score)
      throw new UserError(`${spec.path} has no scorer`, {
        expected: "score: {command: [...]}, {module: ./score.ts} or {judge: {...}}",
      });
    if (study.search || study.analysis.decide)
      throw new UserError(`the scores of ${study.name} decide which runs there are`, {
        remedy: "Its outputs can't be scored apart: `assay run` does its runs again with the changed scorer.",
      });
    await runOne(prepared, { ...options, trace: true, scoring: options.all ? "all" : "stale" });
  }
}

function specOf({ name, spec }: StudyFile): string {
  if (statSync(spec.path, { throwIfNoEntry: false })?.isFile()) return spec.path;
  throw new UserError(`the study file of ${name} is gone`, {
    got: spec.path,
    remedy: "Name the file: assay score study.yaml.",
  });
}
