import { dirname, join } from "node:path";
import type { Comparison } from "../analysis/compare/comparison.ts";
import { UserError } from "../core/errors.ts";
import type { Params } from "../core/params.ts";
import type { RunOptions } from "../launch/launch-study.ts";
import { loadStudy } from "../launch/load-study.ts";
import { prepareStudy } from "../launch/prepare-study.ts";
import type { StudySummary } from "../sinks/sink.ts";
import { compareStudies } from "./compare-studies.ts";
import { currentRecords } from "./current-records.ts";
import { packageFile } from "./package-file.ts";
import { type Candidate, choose, fastestArm } from "./recommend-choose.ts";
import { runPrepared } from "./run-study.ts";

const METRIC = "total_ms";
const QUICK_SEEDS = 8;

/** The safest first: what is as fast as another and risks less is the better one. */
const CANDIDATES: readonly Candidate[] = [
  {
    name: "defaults-each-step",
    what: "on the disk with SQLite's defaults, every step committed",
    risk: "a power cut loses nothing that was committed",
  },
  {
    name: "wal-each-step",
    what: "on the disk with a write-ahead log, every step committed",
    risk: "a crash of the program loses nothing, a power cut the last steps",
  },
  {
    name: "defaults",
    what: "on the disk with SQLite's defaults, 10 steps a commit",
    risk: "a crash loses up to 10 steps",
  },
  {
    name: "wal",
    what: "on the disk with a write-ahead log, 10 steps a commit",
    risk: "a crash loses up to 10 steps, a power cut some more",
  },
  {
    name: "persisted",
    what: "in memory, persisted on completion",
    risk: "a crash before the end loses everything",
  },
];

export interface Recommendation {
  chosen: Candidate;
  /** What a study sets to have it. */
  params: Params;
  /** Of a simulation, in the order of the candidates. */
  means: { name: string; ms: number; n: number }[];
  tied: string[];
  unknown: string[];
  /** Every other arm against the chosen one. */
  comparisons: Comparison[];
  warnings: string[];
  studyDir: string;
  summary: StudySummary;
}

export interface RecommendOptions extends RunOptions {
  isQuick?: boolean;
}

/** Measures ways to log a simulation on this machine, in turns, and says which one to use. */
export async function recommendFarm({ isQuick, ...options }: RecommendOptions = {}): Promise<Recommendation> {
  const path = join(dirname(packageFile()), "specs/recommend_farm.yaml");
  const seeds = isQuick ? { seeds: Array.from({ length: QUICK_SEEDS }, (_, i) => i + 1) } : {};
  const prepared = await prepareStudy(loadStudy(path, { ...seeds, ...options }));
  const { studyDir, summary } = await runPrepared(prepared, { ...options, fresh: true });
  const records = currentRecords(studyDir).filter(({ outcome }) => outcome.status === "ok");
  const means = CANDIDATES.flatMap(({ name }) => {
    const values = records.filter(({ variant }) => variant === name).map(({ metrics }) => metrics[METRIC]!);
    const sum = values.reduce((total, value) => total + value, 0);
    return values.length > 0 ? [{ name, ms: sum / values.length, n: values.length }] : [];
  });
  const fastest = fastestArm(new Map(means.map(({ name, ms }) => [name, ms])));
  if (fastest === undefined || means.length < 2)
    throw new UserError("there is nothing to recommend: fewer than two ways could be measured", {
      remedy: `\`assay status ${studyDir}\` says why.`,
    });
  const request = { by: ["variant"], metrics: [METRIC], goal: "minimize" as const };
  const first = await compareStudies([studyDir], { ...request, baseline: fastest });
  const { chosen, tied, unknown } = choose(fastest, first.comparisons, CANDIDATES);
  const { comparisons, warnings } =
    chosen === fastest ? first : await compareStudies([studyDir], { ...request, baseline: chosen });
  return {
    chosen: CANDIDATES.find(({ name }) => name === chosen)!,
    params: prepared.study.variants.find(({ name }) => name === chosen)!.params,
    ...{ means, tied, unknown, comparisons, warnings, studyDir, summary },
  };
}

export function describeCandidate(name: string): Candidate {
  return CANDIDATES.find((candidate) => candidate.name === name)!;
}
