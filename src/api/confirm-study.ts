import { basename, dirname } from "node:path";
import { type ConfirmArm, type Confirmation, confirmPoints } from "../analysis/search/confirm-points.ts";
import { confirmWords } from "../analysis/search/confirm-words.ts";
import type { SearchPoint } from "../analysis/search/search-points.ts";
import { currentRecords } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import { parseExpression } from "../core/expression.ts";
import { canonicalJson } from "../core/hash.ts";
import { nestParams } from "../core/nest-params.ts";
import { unitWords } from "../core/number-text.ts";
import type { Params } from "../core/params.ts";
import type { Search } from "../core/space.ts";
import type { Study, Variant } from "../core/study.ts";
import type { Warning } from "../core/warning.ts";
import { NOWHERE } from "../dialects/check-shape.ts";
import type { RunOptions, StudyResult } from "../launch/launch-study.ts";
import { prepareStudy } from "../launch/prepare-study.ts";
import { factsOf } from "../read/metric-info.ts";
import { problemOf } from "../search/check-search.ts";
import { compileSpace } from "../search/space/compile-space.ts";
import { defaultPoint } from "../search/space/points.ts";
import { type BestOptions, type BestStudy, bestStudy } from "./best-study.ts";
import { runPrepared } from "./run-study.ts";

export interface ConfirmOptions extends Pick<RunOptions, "sinks" | "stop" | "kill">, BestOptions {
  /** How many of the best points. */
  top?: number;
  /** How many fresh seeds. */
  seeds?: number;
  /** A point's name, or "default" for the point of all defaults; the best one unless told. */
  baseline?: string;
  jobs?: number;
}

export interface Confirmed extends Confirmation {
  result: StudyResult;
  seeds: number[];
  /** The points' parameters, by arm. */
  params: Record<string, Params>;
  sentences: string[];
  notes: Warning[];
}

interface Confirming {
  seeds: number[];
  arms: ReturnType<typeof armsOf>;
  baseline: string;
  search: Search;
  jobs: number | undefined;
}

interface Chosen {
  name: string;
  params: Params;
  values: number[];
}

const TOP = 3;
const SEEDS = 10;

/** Measures the best points of a search again, on seeds that it has not used, as a study of its own beside it. */
export async function confirmStudy(name: string, options: ConfirmOptions = {}): Promise<Confirmed> {
  const best = await bestStudy(name, options);
  const { file, studyDir, found } = best;
  const { study } = file;
  const { search } = found.study;
  const { chosen, baseline } = choosePoints(best, search, options);
  const seeds = freshSeeds(
    study,
    currentRecords(studyDir).map(({ seed }) => seed),
    options.seeds ?? SEEDS,
  );
  const arms = armsOf(chosen, study);
  const confirming = studyOf(best, { seeds, arms, baseline, search, jobs: options.jobs });
  const prepared = await prepareStudy({
    ...{ study: confirming, spec: file.spec, only: undefined },
    places: NOWHERE,
  });
  const notes: Warning[] = [];
  if (prepared.program !== file.program)
    notes.push({
      kind: "program-changed",
      level: "warn",
      text: "The program has changed since the search: this measures the new one.",
    });
  const { sinks, stop, kill } = options;
  const result = await runPrepared(
    { ...prepared, studyDir: `${studyDir}-confirm` },
    { ...(sinks && { sinks }), ...(stop && { stop }), ...(kill && { kill }) },
  );
  const confirmation = confirmPoints(currentRecords(result.studyDir), {
    arms: arms.map(({ name, variants, searched }) => ({
      name,
      searched,
      variants: variants.map((v) => v.name),
    })),
    ...{ baseline, search },
  });
  const { unit } = await factsOf(file, search.objectives[0]!.metric);
  return {
    ...{ ...confirmation, result, seeds, notes },
    params: Object.fromEntries(chosen.map((point) => [point.name, point.params])),
    sentences: confirmWords(confirmation, {
      ...{ objectives: search.objectives, first: found.best[0]!.name, unit: unitWords(unit) },
    }),
  };
}

function choosePoints(
  { found, words, file }: BestStudy,
  search: Search,
  { top = TOP, baseline }: ConfirmOptions,
): { chosen: Chosen[]; baseline: string } {
  const { best, points, isFront } = found;
  const [first] = best;
  if (!first)
    throw new UserError(`there is nothing to confirm. ${words.sentence}`, {
      remedy: "`assay status STUDY` tells how its runs ended.",
    });
  const chosen: Chosen[] = isFront ? spreadOver(best, top) : best.slice(0, top);
  if (baseline === undefined) return { chosen, baseline: chosen[0]!.name };
  if (baseline !== "default") {
    const named = points.find((point) => point.name === baseline);
    if (!named)
      throw new UserError(`--baseline ${baseline}`, {
        expected: `default, or a point from p1 to p${points.length}`,
        remedy: "`assay best STUDY` names them.",
      });
    return {
      chosen: chosen.some((point) => point.name === baseline) ? chosen : [...chosen, named],
      baseline,
    };
  }
  const usual = defaultPoint(compileSpace(problemOf(file.study, search)));
  if (!usual)
    throw new UserError("--baseline default", {
      expected: "a default for every parameter of the search",
      remedy: "Write `default:` next to the parameters, or name a point: --baseline p1.",
    });
  const key = canonicalJson(usual);
  const same = chosen.find(({ params }) => canonicalJson(params) === key);
  if (same) return { chosen, baseline: same.name };
  const tried = points.find(({ params }) => canonicalJson(params) === key);
  return { chosen: [...chosen, { name: "default", params: usual, values: tried?.values ?? [] }], baseline };
}

/** Both ends of a front, and points evenly between them. */
function spreadOver(front: readonly SearchPoint[], count: number): SearchPoint[] {
  if (front.length <= count) return [...front];
  const step = (front.length - 1) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, i) => front[Math.round(i * step)]!);
}

function freshSeeds({ seeds }: Study, used: readonly number[], count: number): number[] {
  const taken = new Set([...seeds, ...used]);
  const last = [...taken].reduce((a, b) => Math.max(a, b), 0);
  const start = last + count < 2 ** 31 ? last + 1 : 1;
  const fresh: number[] = [];
  for (let seed = start; fresh.length < count; seed++) if (!taken.has(seed)) fresh.push(seed);
  return fresh;
}

/** A point is a variant; where the search had variants, one of each. */
function armsOf(
  chosen: readonly Chosen[],
  { variants, search }: Study,
): (Omit<ConfirmArm, "variants"> & { variants: Variant[] })[] {
  return chosen.map(({ name, params, values }) => ({
    ...{ name, searched: values },
    variants: variants.map((variant) => ({
      name: variants.length === 1 ? name : `${name}+${variant.name}`,
      params: { ...nestParams(params, search!.space), ...variant.params },
      flags: variant.flags,
    })),
  }));
}

function studyOf({ file, studyDir }: BestStudy, given: Confirming): Study {
  const { search: _, label: _label, where, ...rest } = file.study;
  if (where !== undefined && parseExpression(where).names.has("variant"))
    throw new UserError(`the study's where (${where}) is about variants, and points are variants here`, {
      remedy:
        "Write a study file with the points as variants: `assay best STUDY --json` has their parameters.",
    });
  const [objective] = given.search.objectives;
  return {
    ...rest,
    ...(where !== undefined && { where }),
    name: `${basename(studyDir)}-confirm`,
    question: `Do the best points of ${file.name} stay best on fresh seeds?`,
    outRoot: dirname(studyDir),
    seeds: given.seeds,
    variants: given.arms.flatMap(({ variants }) => variants),
    executor: { ...rest.executor, ...(given.jobs !== undefined && { jobs: given.jobs }) },
    analysis: {
      ...{ metric: objective!.metric, goal: objective!.goal },
      ...(file.study.variants.length === 1 && { baseline: { variant: given.baseline } }),
    },
  };
}
