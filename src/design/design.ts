import { UserError } from "../core/errors.ts";
import { faultOf, type Owner, type RunRecord } from "../core/run.ts";
import { ArmIndex, baseVariant, type DesignArm, sortFactors, usualBy, withNested } from "./arms.ts";
import {
  checkName,
  chooseRuns,
  columnOf,
  columnsOf,
  type Factor,
  factorNamed,
  factorsOf,
  knownNames,
  type Placement,
  type Shape,
} from "./factors.ts";
import { chooseFacets, chooseX, facetsInOrder, facetText, followsFrom, partsInOrder } from "./panels.ts";
import {
  absentIn,
  baselineOf,
  type Caution,
  cautionsOf,
  lookCautions,
  nounFor,
  type Past,
  progressOf,
  type Standing,
  standingOf,
} from "./standing.ts";
import {
  blockText,
  byPlace,
  chooseUnit,
  countOf,
  levelWord,
  pairingOf,
  pairText,
  taskOf,
  type UnitKind,
  unitLevel,
} from "./unit.ts";

/** Runs of one study, or of a folder without one, under the name that they have on the command line. */
export interface Source {
  label: string;
  dir: string;
  study: Shape | undefined;
  records: readonly RunRecord[];
  /** How many runs these are; as many as records unless told. */
  runs?: number;
  /** How its runs came to be, where that is known. */
  past?: Past | undefined;
}

/** What a user asks of runs. What is left out the design decides. */
export interface Ask {
  /** Parameters or columns whose values are the arms, each with an optional pattern: `model~^[a-z]+`. */
  by?: readonly string[] | undefined;
  /** Only the runs for which this expression holds. */
  where?: string | undefined;
  baseline?: string | undefined;
  /** A parameter that says which task a run did, where the runs' own task does not. */
  task?: string | undefined;
  /** What pairs the arms. */
  pair?: readonly string[] | undefined;
  /** Compared apart for each of its values. */
  per?: string | undefined;
  /** What else changes the answer and is not of the study's own question. */
  asked?: string | undefined;
  /** The runs were named one by one: they are one arm, and each stands for itself. */
  isList?: boolean | undefined;
}

/** A run, and where it stands. */
export interface PlacedRun {
  record: RunRecord;
  dir: string;
  arm: string;
  /** What is drawn: a seed, a task. */
  unit: string;
  /** What it is paired by: a unit at one setting; null where nothing pairs. */
  pair: string | null;
  /** What several pairs share. */
  cluster: string | undefined;
  /** The settings that all arms share. */
  block: string;
  task: string | null;
  /** The panel of a chart that it belongs to, and its place on a numeric axis. */
  facet: string;
  x: number | null;
  part: string | null;
  /** Whose fault it is that it has no numbers; undefined where it ended well. */
  owner: Owner | "unknown" | undefined;
}

/**
 * How the runs of a study answer a question: what the arms are, what is counted, what pairs, what is the baseline.
 * Decided here once, for everything that answers.
 */
export interface Design {
  by: string[];
  arms: DesignArm[];
  baseline: string | null;
  /** Whether the study file names the baseline, or the arms are variants of one. */
  isBaselineDeclared: boolean;
  /** Only runs of this variant are compared, where arms are not variants; null where there is one. */
  variant: string | null;
  unit: UnitKind;
  /** What is counted, in words. */
  noun: string;
  /** What pairs two arms; empty where nothing does. */
  keys: string[];
  /** The key that several pairs share, so that they are not independent. */
  clusterBy: string | undefined;
  /** What runs of one pair may differ in though the user named the pair, for the message about it. */
  unnamed: string[];
  isAsked: boolean;
  /** Factors that all arms share and pair by. */
  blocks: string[];
  /** Factors that only some arms have: each unit's value is its mean over them. */
  averaged: string[];
  /** A numeric factor to draw values over; null where there is none. */
  x: string | null;
  facetBy: string[];
  facets: string[];
  /** What is compared apart, in the order of its values; one null where nothing is. */
  parts: (string | null)[];
  runs: PlacedRun[];
  cautions: Caution[];
  /** What is planned and has no run yet: "arm new". */
  absent: string[];
  /** How many of the planned runs are there, where some are not. */
  progress: { done: number; planned: number } | null;
  /** Whether an answer on a metric was asked for before the runs; null for several studies, and for runs without one. */
  standing(metric: string): Standing | null;
}

/** Decides how the runs of a study, of several studies or of a list answer what is asked. */
export function designOf(sources: readonly Source[], ask: Ask = {}): Design {
  const study = sources.length === 1 ? sources[0]!.study : undefined;
  const past = sources.length === 1 ? sources[0]!.past : undefined;
  const all = sources.flatMap(({ records }) => (ask.isList ? records : records.toSorted(byPlace)));
  const known = knownNames(all);
  for (const name of [ask.task, ...(ask.pair ?? [])]) if (name !== undefined) checkName(name, known);
  const chosen = chooseRuns(all, ask.where, known);
  const isStudies = sources.length > 1;
  if (isStudies && ask.by)
    throw new UserError("--by", { expected: "one study", got: `${sources.length}, which are the arms` });

  const varying = factorsOf(study, chosen);
  const factors = varying.filter(({ name }) => name !== ask.task);
  const ofAll = chosen === all ? varying : factorsOf(study, all);
  const first =
    ask.by ?? (isStudies || ask.isList === true ? [] : usualBy(study, { ofAll, chosen, factors }));
  // Nothing tells runs of one source apart: then they are one arm.
  const isWhole = first.length === 0;
  const variant = onlyVariant(first, { ask, study, chosen, factors, isWhole });
  const isCompared = (run: Placement) => variant === null || run.variant === variant;
  const own = [...chosen].filter(isCompared);
  const columns = ask.by ? ask.by.map((spec) => columnOf(spec, known, "--by")) : columnsOf(first);
  const per = ask.per === undefined ? undefined : columnOf(ask.per, known, "--per");
  const taken = [...columns.map(({ name }) => name), per?.name, ...(variant === null ? [] : ["variant"])];
  const rest = factors.filter(({ name }) => !taken.includes(name));

  const origins = new Map(
    sources.flatMap((source) => source.records.map((record) => [record, source] as const)),
  );
  const book = new ArmIndex(columns, study, all.filter(isCompared));
  const wide = ask.by || isWhole ? book : withNested(book, { study, rest, own, all: all.filter(isCompared) });
  const armOf = (run: RunRecord) => (isWhole ? origins.get(run)!.label : wide.of(run).name);
  const { blocks, averaged } = sortFactors(
    rest.filter(({ name }) => !wide.by.some((column) => column.name === name)),
    own,
    armOf,
  );
  const baseline = baselineOf(wide, { ask, study, sources, isWhole });

  const taskName = ask.task ?? "task";
  const counts = {
    tasks: countOf(own, (run) => taskOf(run, ask.task)),
    seeds: countOf(own, (run) => String(run.seed)),
    repeats: countOf(own, (run) => String(run.repeat)),
  };
  const unit: UnitKind =
    ask.isList === true
      ? "run"
      : chooseUnit({
          ...counts,
          isInterleaved: study?.order === "interleaved",
          hasBlocks: blocks.length > 0,
          pairBy: study?.analysis.pairBy,
        });
  const pairing = pairingOf({ asked: ask.pair, unit, blocks, taskName, counts });
  const x = chooseX(blocks, factors, wide, isWhole);
  const facetBy = chooseFacets(
    blocks.filter((name) => name !== x && (x === null || !followsFrom(x, name, own))),
    own,
    study,
  );
  const facetFactors = facetBy.map((name) => factorNamed(name, study, own));
  const partFactor = per && factorNamed(per.name, study, own);
  const partWords = partFactor?.words;
  /** A text as it is, so that a pattern finds its part; anything else by its name. */
  const partWord = (run: Placement) => {
    const level = levelWord(run, per!.name);
    return typeof run.params[per!.name] === "object" ? (partWords!.get(level) ?? level) : level;
  };
  // Arms share their units: one text for each, which many runs are found by.
  const texts = new Map<string, string>();
  const runs = own.map((record): PlacedRun => {
    const xValue = x === null ? undefined : record.params[x];
    const text = pairText(record, pairing.keys);
    const pair = text === null ? null : (texts.get(text) ?? texts.set(text, text).get(text)!);
    const cluster = pairing.clusterBy === undefined ? undefined : levelWord(record, pairing.clusterBy);
    return {
      record,
      dir: origins.get(record)!.dir,
      arm: armOf(record),
      unit: pairing.isAsked ? (cluster ?? pair!) : unitLevel(record, unit, ask.task, blocks),
      pair,
      cluster,
      block: pairing.isAsked
        ? (pairText(
            record,
            pairing.keys.filter((name) => name !== pairing.clusterBy),
          ) ?? "")
        : blockText(record, { blocks, unit, taskName, hasTasks: counts.tasks > 1, task: ask.task }),
      task: taskOf(record, ask.task),
      facet: facetText(record, facetFactors),
      x: typeof xValue === "number" ? xValue : null,
      part: per ? per.label(partWord(record)) : null,
      owner: faultOf(record.outcome),
    };
  });
  const noun = nounFor(unit, { tasks: counts.tasks, easiness: study?.easiness });
  const there = new Set(runs.map(({ arm }) => arm));
  const arms = isWhole
    ? sources.map(({ label }, colour) => ({ name: label, colour, levels: [] }))
    : wide.arms.filter(({ name }) => there.has(name));
  return {
    by: isWhole ? [] : wide.by.map(({ name }) => name),
    arms,
    ...baseline,
    variant,
    unit,
    noun,
    ...pairing,
    blocks,
    averaged,
    x,
    facetBy,
    facets: facetBy.length === 0 ? [""] : facetsInOrder(runs, facetFactors),
    parts: partFactor ? partsInOrder(runs, partFactor) : [null],
    runs,
    cautions: [
      ...cautionsOf({ variant, averaged, unit, counts, blocks, pairing, arms, noun }),
      ...sources.flatMap((source) => lookCautions(source, isStudies)),
    ],
    absent: sources.flatMap(absentIn),
    progress: progressOf(sources),
    standing: (metric) =>
      study === undefined || ask.isList === true
        ? null
        : standingOf({
            ...{ metric, analysis: study.analysis, past, ask, runs, arms: arms.length, ...baseline },
            done: sources.reduce((sum, source) => sum + (source.runs ?? source.records.length), 0),
          }),
  };
}

interface VariantQuestion {
  ask: Ask;
  study: Shape | undefined;
  chosen: readonly RunRecord[];
  factors: readonly Factor[];
  isWhole: boolean;
}

/** Where arms are not variants, variants are changes of the arms: only the unchanged ones are compared. */
function onlyVariant(
  by: readonly string[],
  { ask, study, chosen, factors, isWhole }: VariantQuestion,
): string | null {
  const isAsked =
    [...by, ...(ask.pair ?? []), ask.per].some((spec) => spec?.split("~")[0] === "variant") ||
    (ask.where !== undefined && /\bvariant\b/.test(ask.where));
  if (isWhole || isAsked || !factors.some(({ name }) => name === "variant")) return null;
  return baseVariant(study, chosen);
}
