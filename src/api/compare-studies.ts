import { existsSync, statSync } from "node:fs";
import { type Compared, compareArms } from "../analysis/compare/compare-arms.ts";
import type { ArmSet } from "../analysis/compare/observation.ts";
import { isRolloutStudy } from "../analysis/rollouts/count-failures.ts";
import { nameAgents } from "../analysis/rollouts/name-agents.ts";
import { findStudy, listStudies } from "../archive/find-study.ts";
import { readStudyFile } from "../archive/read-records.ts";
import { isResult, readJson } from "../archive/read-result.ts";
import { UserError } from "../core/errors.ts";
import { titleOf } from "../core/stamp.ts";
import type { CompareRequest } from "./compare/request.ts";
import { type StudyRuns, studyArms } from "./compare/study-arms.ts";
import { currentRecords } from "./current-records.ts";

/** Compares studies, cells of one study, runs, or files (CSV, result.json, hyperfine's JSON): which is better, how sure. */
export async function compareStudies(
  names: readonly string[],
  request: CompareRequest = {},
): Promise<Compared> {
  const kinds = new Set(names.map(kindOf));
  if (kinds.size > 1)
    throw new UserError("these can't be compared with each other", {
      expected: "studies, or CSV files, or exports of hyperfine",
      got: [...kinds].join(" and "),
      remedy: "`assay collect STUDY` makes a CSV of a study.",
    });
  const [kind = "study"] = kinds;
  const sets = await armsOf(kind, names, request);
  const baseline = request.baseline ?? (kind === "study" ? declaredBaseline(names, request) : undefined);
  const compared = compareArms(sets, { ...request, ...(baseline === undefined ? {} : { baseline }) });
  if (kind === "JSON") compared.warnings.push(...resultCautions(names));
  return compared;
}

/** What to keep in mind where the values are iterations of single runs. */
function resultCautions(paths: readonly string[]): string[] {
  const runs = paths.map(readJson).filter(isResult);
  if (runs.length === 0) return [];
  const told = new Set(runs.flatMap(({ warnings = [] }) => warnings));
  return [
    "The values are iterations within one run an arm: what differs from one start to the next (memory layout, what else the machine does) is not in the intervals. Arms that take turns over several runs (order: interleaved) say more.",
    ...[...told].map((text) => `Of a run itself: ${text}.`),
  ];
}

type Kind = "study" | "CSV" | "JSON";

function kindOf(name: string): Kind {
  if (!existsSync(name) || statSync(name).isDirectory()) return /\.[ct]sv$/.test(name) ? "CSV" : "study";
  if (name.endsWith(".json")) return "JSON";
  if (/\.([ct]sv|txt)$/.test(name)) return "CSV";
  throw new UserError(name, {
    expected: "a study's results (its name or folder), a .csv file, a result.json or an export of hyperfine",
    remedy: "A study file is run first: `assay run FILE`.",
  });
}

async function armsOf(kind: Kind, names: readonly string[], request: CompareRequest): Promise<ArmSet[]> {
  if (kind === "CSV") return (await import("./compare/csv-arms.ts")).csvArms(names, request);
  if (kind === "JSON") {
    if (isResult(readJson(names[0]!)))
      return (await import("./compare/result-arms.ts")).resultArms(names, request);
    return (await import("./compare/hyperfine-arms.ts")).hyperfineArms(names);
  }
  const { listed } = request;
  if (names.length === 0 && !listed)
    throw new UserError("nothing to compare was named", {
      remedy: "Name two studies, or one with --by, or a CSV file.",
    });
  const dirs =
    names.length > 0 ? names.map((name) => findStudy(name, request.outRoot)) : listStudies(request.outRoot);
  const studies = dirs.map((dir): StudyRuns => ({ label: labelOf(dir, dirs), dir, ...readNamed(dir) }));
  if (!listed) return studyArms(studies, request);
  return (await import("./compare/listed-arms.ts")).listedArms(studies, { ...request, listed });
}

/** A study with its records; agents that are commands go by their names. */
function readNamed(dir: string): Pick<StudyRuns, "study" | "records"> {
  const [study, records] = [readStudyFile(dir), currentRecords(dir)];
  if (!study || !isRolloutStudy(study.study)) return { study, records };
  const named = nameAgents(study, records);
  return { study: named.file, records: named.records };
}

function labelOf(dir: string, dirs: readonly string[]): string {
  const name = titleOf(dir);
  return dirs.filter((other) => titleOf(other) === name).length > 1 ? dir : name;
}

/** The study's own, where the arms are made by what it names. */
function declaredBaseline(
  names: readonly string[],
  { by, outRoot, listed }: CompareRequest,
): string | undefined {
  if (names.length !== 1 || listed) return undefined;
  const baseline = readNamed(findStudy(names[0]!, outRoot)).study?.study.analysis.baseline;
  const keys = Object.keys(baseline ?? {});
  const wanted = by ?? keys;
  if (!baseline || wanted.length === 0 || wanted.some((name) => !keys.includes(name))) return undefined;
  const text = (name: string) =>
    typeof baseline[name] === "string" ? (baseline[name] as string) : JSON.stringify(baseline[name]);
  return wanted.length === 1 ? text(wanted[0]!) : wanted.map((name) => `${name}=${text(name)}`).join(", ");
}
