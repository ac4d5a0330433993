import { relative } from "node:path";
import { UserError } from "../core/errors.ts";
import { shellWord } from "../core/escape.ts";
import { countText, plural } from "../core/number-text.ts";
import type { Value } from "../core/params.ts";
import type { Run } from "../core/run.ts";
import type { Distribution, Search, SpaceParameter } from "../core/space.ts";
import { runOutDir } from "../core/study-folder.ts";
import type { PreparedStudy } from "../launch/prepare-study.ts";
import { Plan } from "../plan/plan.ts";
import { planSearch, type SearchPlan, searchRuns } from "../search/check-search.ts";
import { commandWords } from "../targets/command/fill-argv.ts";
import { takeFirst } from "./take-first.ts";
import { printable, styleFor } from "./terminal.ts";

const MOST_VALUES = 8;

interface Options {
  runs?: boolean;
  limit: number;
  json?: boolean;
}

/** Prints what a search would run: its points, what conditions save, and the space in words. */
export function printSearchPlan(prepared: PreparedStudy, search: Search, options: Options): void {
  const { study, plan, program, studyDir, redactor } = prepared;
  const counted = planSearch(plan, search);
  if (counted.combinations === 0) {
    throw new UserError(`no point of the space satisfies where: ${search.where}`, {
      place: prepared.places.search("where"),
      remedy: "Loosen the condition, or widen the space.",
    });
  }
  const planAt = (at: typeof study) => new Plan(at, program, redactor.text);
  const listed = options.runs ? takeFirst(searchRuns(study, search, planAt), options.limit) : [];
  if (options.json) {
    const { name, warnings = [] } = study;
    const { dialect } = prepared.spec;
    const { total } = counted;
    console.log(
      JSON.stringify({
        study: name,
        dialect,
        studyDir,
        program,
        total,
        search: counted,
        warnings,
        runs: listed,
      }),
    );
    return;
  }
  const style = styleFor(process.stdout);
  const where = relative(process.cwd(), studyDir) || ".";
  console.log(
    `${style.bold(study.name)} (${prepared.spec.dialect}): ${headline(counted, search)} -> ${where}`,
  );
  console.log(`target ${program}`);
  for (const line of describeSearch(search, counted)) console.log(line);
  const width = Math.max(16, ...search.space.map(({ name }) => name.length));
  for (const parameter of search.space)
    console.log(`  ${parameter.name.padEnd(width)} ${printable(describeParameter(parameter))}`);
  console.log(
    `  ${"seeds".padEnd(width)} ${study.seeds.slice(0, 12).join(", ")}${study.seeds.length > 12 ? ", ..." : ""}`,
  );
  for (const { names, rows } of study.axes) {
    const values = rows.slice(0, 12).map((row) => row.map(String).join(" "));
    const more = rows.length > 12 ? ", ..." : "";
    console.log(`  ${names.join("+").padEnd(width)} each of ${printable(values.join(", "))}${more}`);
  }
  for (const run of listed) printRun(prepared, run);
  if (options.runs && counted.total !== null && counted.total > listed.length) {
    const more = counted.total - listed.length;
    const why = listed.length === 0 ? ", chosen from what the runs before them gave" : "";
    console.log(`... and ${plural(more, "run")} more${why}`);
  }
}

function headline({ method, points, total, runsPerPoint }: SearchPlan, search: Search): string {
  if (points === null || total === null) return `${method} search without an end of its own`;
  const product = runsPerPoint === 1 ? "" : ` (${plural(points, "point")} x ${countText(runsPerPoint)})`;
  // Where nobody says how many, only the size of the space ends it.
  const most = search.points === undefined && method !== "grid" ? "at most " : "";
  return `${method} search, ${most}${plural(total, "run")}${product}`;
}

function describeSearch(search: Search, counted: SearchPlan): string[] {
  const { saved, excluded, combinations, points } = counted;
  const lines: string[] = [];
  for (const { metric, goal, target } of search.objectives)
    lines.push(`${goal} ${metric}${target === undefined ? "" : `, until ${target} is reached`}`);
  for (const constraint of search.constraints) lines.push(`such that ${constraint}`);
  if (search.earlyStop)
    lines.push(`early stop: ${search.earlyStop.kind} ${JSON.stringify(search.earlyStop.options)}`);
  if (saved > 0) lines.push(`inactive parameters save ${plural(saved, "point")}`);
  if (excluded === null) lines.push(`where ${search.where}: too many combinations to count`);
  else if (excluded > 0) lines.push(`where ${search.where} leaves out ${plural(excluded, "point")}`);
  if (combinations !== null && points !== null && points < combinations)
    lines.push(`${countText(points)} of ${countText(combinations)} combinations`);
  if (points === null) lines.push("it runs until you stop it: give it a number of points (run_cap, points)");
  return lines;
}

function printRun({ study, studyDir, redactor }: PreparedStudy, run: Run): void {
  const style = styleFor(process.stdout);
  console.log(printable(run.id));
  if (study.target.kind !== "command") return;
  const outDir = runOutDir(relative(process.cwd(), studyDir), run.id);
  const line = commandWords(study.target, run, outDir).map(shellWord).join(" ");
  console.log(style.dim(`    ${printable(redactor.text(line))}`));
}

/** A searched parameter in words: what values it can take, and when it is there. */
function describeParameter({ distribution, when, default: usual }: SpaceParameter): string {
  const parts = [describeDistribution(distribution)];
  if (usual !== undefined) parts.push(`usually ${shown(usual)}`);
  if (when !== undefined) parts.push(`when ${when}`);
  return parts.join("; ");
}

function describeDistribution(distribution: Distribution): string {
  switch (distribution.kind) {
    case "constant":
      return `always ${shown(distribution.value)}`;
    case "categorical": {
      const { values, probabilities } = distribution;
      const listed = values
        .slice(0, MOST_VALUES)
        .map((value, i) => shown(value) + (probabilities ? ` (${probabilities[i]})` : ""));
      const more = values.length > MOST_VALUES ? `, ... ${values.length} values in all` : "";
      return listed.join(", ") + more;
    }
    case "integer":
    case "uniform": {
      const { kind, min, max, scale, step } = distribution;
      const steps =
        kind === "integer" && step === 1 ? ", whole numbers" : step === undefined ? "" : `, step ${step}`;
      return `${min} to ${max}${steps}${scale === "linear" ? "" : `, ${scale} scale`}`;
    }
    case "normal": {
      const { mean, sd, scale, step } = distribution;
      const name = scale === "log" ? "log-normal" : "normal";
      return `${name}, mean ${mean}, sd ${sd}${step === undefined ? "" : `, step ${step}`}`;
    }
    case "beta": {
      const { a, b, step } = distribution;
      return `beta, a ${a}, b ${b}${step === undefined ? "" : `, step ${step}`}`;
    }
  }
}

function shown(value: Value): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
