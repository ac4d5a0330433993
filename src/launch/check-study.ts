import { dirname, isAbsolute } from "node:path";
import { type Place, UserError } from "../core/errors.ts";
import { isUnpaid } from "../core/executor.ts";
import type { Params } from "../core/params.ts";
import type { ServiceRef } from "../core/service.ts";
import type { CommandRef, ScorerRef, Study } from "../core/study.ts";
import { chooseExecutor } from "../executors/index.ts";
import { loadInstruments } from "../executors/load-instruments.ts";
import type { Plan } from "../plan/plan.ts";
import { checkParams } from "../targets/check-params.ts";
import { checkCommand } from "../targets/command/fill-argv.ts";
import { findProgram } from "../targets/command/find-program.ts";
import { checkScript } from "../targets/command/missing-script.ts";
import type { LoadedStudy } from "./load-study.ts";
import type { SettledStudy } from "./settle-study.ts";

/** Cells whose parameters are checked before anything runs; those beyond it are checked as they run. */
const MOST_CHECKED = 2000;

/** All mistakes that can be told before the first run: instruments, executor, search, and every parameter. */
export async function checkStudy(
  { study, target }: SettledStudy,
  plan: Plan,
  { places, spec, traffic }: Pick<LoadedStudy, "places" | "spec" | "traffic">,
): Promise<void> {
  await loadInstruments({ ...study, plugins: study.plugins ?? [] });
  const { isAway = false } = chooseExecutor(study.executor.kind, study.target);
  if (study.executor.slots && (isAway || study.target.kind !== "command"))
    throw new UserError("slots are for programs that run on this machine", {
      place: places.at(["executor", "slots"]),
      remedy: isAway ? "Start one worker per slot, each with its variables." : "Leave them out.",
    });
  if (study.target.kind === "command") checkProgram(study, study.target, { plan, places, isAway });
  if (study.services) checkServices(study, study.services, { plan, places, isAway });
  if (study.models && study.target.kind === "shipped")
    throw new UserError(
      `models: is for programs and modules of your own, and ${study.target.name} ships with Assay`,
      {
        place: places.at(["models"]),
        remedy: "Its calls are metered already: use limits: {costUsd, callsPerMinute, callsAtOnce}.",
      },
    );
  if (study.score) checkScorers(study, study.score, { plan, places });
  const points = await pointsToCheck(study, places);
  if (target) {
    let checked = 0;
    for (const { cell } of plan.weighedCells()) {
      for (const point of points) {
        const filled = checkParams(target, { ...cell.params, ...point }, places.param);
        const isReplay = isUnpaid(traffic);
        const limitUsd = study.limits.costUsd ?? study.limits.totalCostUsd;
        await target.check?.(filled, dirname(spec.path), {
          ...{ isHere: !isAway, isReplay },
          ...(limitUsd !== undefined && { limitUsd }),
        });
      }
      if (++checked === MOST_CHECKED) break;
    }
  }
  if (plan.weighedCells().next().done) {
    throw new UserError(`no run satisfies ${JSON.stringify(study.where)}`, {
      remedy: "`assay plan FILE` shows how many runs each value has.",
    });
  }
}

function checkProgram(
  study: Study,
  program: CommandRef,
  { plan, places, isAway }: { plan: Plan; places: LoadedStudy["places"]; isAway: boolean },
): void {
  const [name] = program.argv as [string];
  // Workers get the study's own files, and have the rest: what is in their PATH, or has a place of its own.
  if (!isAway || (name.includes("/") && !isAbsolute(name))) findProgram(name, program.cwd);
  if (study.iterations.batch !== undefined)
    throw new UserError("batch is for modules, and the target is a program", {
      place: places.at(["iterations", "batch"]),
      remedy: "Let the program do its work several times, or leave batch out.",
    });
  checkScript(program, places.at(["target", "command"]));
  checkCommand(program, namesOf(study, plan));
  if (program.isWorker) checkWorker(study, program, places.at(["target", "worker"]));
}

/** What the words of a command may name. */
function namesOf(study: Study, plan: Plan): string[] {
  return [
    ...Object.keys(study.params),
    ...plan.axisNames,
    ...study.variants.flatMap(({ params }) => Object.keys(params)),
    ...(study.search?.space ?? []).map(({ name }) => name),
    ...itemFields(study),
  ];
}

function checkScorers(
  study: Study,
  scorers: readonly ScorerRef[],
  { plan, places }: { plan: Plan; places: LoadedStudy["places"] },
): void {
  const place = places.at(["score"]);
  if (study.artifacts !== "all")
    throw new UserError("scorers read what runs have left, which this study does not keep", {
      place,
      expected: "artifacts: all",
      got: `artifacts: ${study.artifacts}`,
    });
  for (const { by } of scorers) {
    if (by.kind !== "command") continue;
    findProgram(by.argv[0]!, by.cwd);
    checkScript(by, place);
    checkCommand(by, [...namesOf(study, plan), "output_dir", "run_dir"]);
    if (by.isWorker) checkWorker({ ...study, instruments: [] }, by, place);
  }
}

/** What a command may name beside its own port: a process that several runs share belongs to none of them. */
const SERVICE_WORDS = { study: [], cell: ["variant"], run: ["variant", "seed", "task", "repeat", "run_id"] };

function checkServices(
  study: Study,
  services: readonly ServiceRef[],
  { plan, places, isAway }: { plan: Plan; places: LoadedStudy["places"]; isAway: boolean },
): void {
  for (const [i, { by, reset, per }] of services.entries()) {
    const place = places.at(["services", i]);
    const known = ["port", ...SERVICE_WORDS[per], ...(per === "study" ? [] : namesOf(study, plan))];
    for (const command of reset ? [by, reset] : [by]) {
      const [name] = command.argv as [string];
      if (!isAway || (name.includes("/") && !isAbsolute(name))) findProgram(name, command.cwd);
      checkScript(command, place);
      for (const [, word] of command.argv.join(" ").matchAll(/\$\{([^}]*)\}/g))
        if (!known.includes(word!))
          throw new UserError(`a service per ${per} can't name \${${word}}`, {
            place,
            expected: known.map((one) => `\${${one}}`).join(", "),
            remedy: per === "study" ? "With per: cell its command may name parameters." : "",
          });
    }
  }
}

/** Searchers are loaded only where a study searches. */
async function pointsToCheck(study: Study, places: LoadedStudy["places"]): Promise<Params[]> {
  if (!study.search) return [{}];
  const { checkSearch, samplePoints } = await import("../search/check-search.ts");
  const problem = checkSearch(study, study.search, places);
  return study.target.kind === "command" ? [] : [...samplePoints(problem)];
}

/** What a command may name of the items of a dataset: `${task.question}`. */
function itemFields({ items }: Study): Set<string> {
  const fields = new Set<string>();
  for (const item of items?.values() ?? []) for (const name of Object.keys(item)) fields.add(`task.${name}`);
  return fields;
}

/** Each run comes to a worker as a line, so nothing of a single run can stand in its command. */
function checkWorker(study: Study, { argv, metrics }: CommandRef, place: Place): void {
  const ofRun = argv
    .join(" ")
    .match(/\$\{(args|flags|seed|task(\.[^}]*)?|repeat|run_id|out_dir|output_dir|run_dir)\}/)?.[0];
  if (ofRun !== undefined)
    throw new UserError(`the command names ${ofRun}, but one worker does many runs`, {
      place,
      remedy: "Read it from the line that each run comes with.",
    });
  const { warmup, measured } = study.iterations;
  const others = study.instruments.filter(({ name }) => name !== "timing");
  const problem =
    metrics !== undefined
      ? "metrics: patterns"
      : warmup + study.repeats.warmup > 0 || measured > 1
        ? "iterations"
        : others[0] && `the instrument ${others[0].name}`;
  if (problem)
    throw new UserError(`${problem} doesn't work with worker: true`, {
      place,
      remedy: "Leave it out, or give each run its own process.",
    });
}
