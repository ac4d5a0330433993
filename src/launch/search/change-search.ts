import { existsSync } from "node:fs";
import { readStudyFile } from "../../archive/read-records.ts";
import { UserError } from "../../core/errors.ts";
import { canonicalJson } from "../../core/hash.ts";
import { nestParams } from "../../core/nest-params.ts";
import type { Params } from "../../core/params.ts";
import type { Search } from "../../core/space.ts";
import { STUDY_FILES } from "../../core/study-folder.ts";
import { suggestion } from "../../core/suggest.ts";
import { replaceFile } from "../../host/files.ts";
import { misfitOf } from "../../plan/admits-point.ts";
import { Plan } from "../../plan/plan.ts";
import { planSearch } from "../../search/check-search.ts";
import type { Ledger, SearchState } from "../../search/shared/ledger.ts";

/** What may be changed of a search while workers are at it. */
export interface SearchChange {
  state?: SearchState;
  /** So many points in all. */
  points?: number;
  /** Points to try, each as JSON. */
  add?: string[];
}

export interface ChangedSearch {
  state: SearchState;
  points: number;
  /** Runs that workers have taken. */
  open: number;
}

export async function changeSearch(studyDir: string, change: SearchChange): Promise<ChangedSearch> {
  if (!existsSync(`${studyDir}/${STUDY_FILES.ledger}`))
    throw new UserError(`${studyDir} is not a sweep`, { remedy: "`assay sweep FILE` makes one." });
  const { Ledger } = await import("../../search/shared/ledger.ts");
  const ledger = new Ledger(studyDir);
  try {
    return ledger.exclusively(() => {
      const search = JSON.parse(ledger.fact("search") ?? "{}") as Partial<Search>;
      if (!isSearch(search) && (change.points !== undefined || change.add))
        throw new UserError("a matrix has no points: its runs are all there are");
      if (isSearch(search)) {
        addPoints(ledger, change.add ?? [], { search, fixed: readStudyFile(studyDir)?.study.params ?? {} });
        if (change.points !== undefined) {
          const wider = { ...search, points: change.points };
          ledger.setFact("search", canonicalJson(wider));
          describeSearch(studyDir, wider);
        }
      }
      if (change.state !== undefined) ledger.setFact("state", change.state);
      return { state: ledger.state, points: ledger.pointsFrom(0).length, open: ledger.countClaims() };
    });
  } finally {
    ledger.close();
  }
}

/** Whoever asks how far the search is, or joins it, goes by study.json. */
function describeSearch(studyDir: string, search: Search): void {
  const file = readStudyFile(studyDir);
  if (!file) return;
  const study = { ...file.study, search };
  const { total } = planSearch(new Plan(study, file.program), search);
  const described = { ...file, study, total: total ?? Number.POSITIVE_INFINITY };
  replaceFile(`${studyDir}/${STUDY_FILES.study}`, `${JSON.stringify(described, null, 2)}\n`);
}

function isSearch(search: Partial<Search>): search is Search {
  return search.method !== undefined;
}

interface Where {
  search: Search;
  /** Parameters that do not vary. */
  fixed: Params;
}

/** A point that is there already is not added again. */
function addPoints(ledger: Ledger, texts: readonly string[], where: Where): void {
  const before = ledger.pointsFrom(0);
  const known = new Set(before.map(({ params }) => canonicalJson(params)));
  let number = before.length;
  for (const params of texts.map((text) => readPoint(text, where))) {
    const key = canonicalJson(params);
    if (known.has(key)) continue;
    known.add(key);
    ledger.addPoint({ number: number++, params, journalBytes: 0, isAsked: false, handed: 0 });
  }
}

function readPoint(text: string, { search, fixed }: Where): Params {
  let point: unknown;
  try {
    point = JSON.parse(text);
  } catch {
    // Said below.
  }
  if (typeof point !== "object" || point === null || Array.isArray(point))
    throw new UserError("--add", { expected: 'a point as JSON, such as {"lr": 0.01}', got: text });
  const names = search.space.map(({ name }) => name);
  const unknown = Object.keys(point).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new UserError(`the search has no parameter "${unknown}"`, { remedy: suggestion(unknown, names) });
  }
  const params = point as Params;
  const misfit = misfitOf(search)({ ...fixed, ...nestParams(params, search.space) });
  if (misfit !== undefined)
    throw new UserError(`--add: ${text} is not a point of the search: ${misfit}`, {
      remedy: "Change the point, or widen the space: change the file, then `assay sweep FILE`.",
    });
  return params;
}
