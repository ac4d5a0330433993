import { existsSync } from "node:fs";
import { UserError } from "../../core/errors.ts";
import { canonicalJson } from "../../core/hash.ts";
import type { Params } from "../../core/params.ts";
import type { Search } from "../../core/space.ts";
import { suggestion } from "../../core/suggest.ts";
import type { SweepState } from "../../engine/sweep/ledger.ts";

/** What may be changed of a sweep while workers are at it. */
export interface SweepChange {
  state?: SweepState;
  /** So many points in all. */
  points?: number;
  /** Points to try, each as JSON. */
  add?: string[];
}

export interface ChangedSweep {
  state: SweepState;
  points: number;
  /** Runs that workers have taken. */
  open: number;
}

export async function changeSweep(studyDir: string, change: SweepChange): Promise<ChangedSweep> {
  if (!existsSync(`${studyDir}/sweep.db`))
    throw new UserError(`${studyDir} is no sweep`, { remedy: "`assay sweep FILE` makes one." });
  const { Ledger } = await import("../../engine/sweep/ledger.ts");
  const ledger = new Ledger(studyDir);
  try {
    return ledger.exclusively(() => {
      const search = JSON.parse(ledger.fact("search") ?? "{}") as Partial<Search>;
      const points = (change.add ?? []).map((text) => readPoint(text, search));
      const before = ledger.pointsFrom(0).length;
      for (const [i, params] of points.entries())
        ledger.addPoint({ number: before + i, params, journalBytes: 0, isAsked: false, handed: 0 });
      if (change.points !== undefined) {
        if (search.method === undefined) throw new UserError("a matrix has no number of points to change");
        ledger.setFact("search", canonicalJson({ ...search, points: change.points }));
      }
      if (change.state !== undefined) ledger.setFact("state", change.state);
      return { state: ledger.state, points: before + points.length, open: ledger.countClaims() };
    });
  } finally {
    ledger.close();
  }
}

function readPoint(text: string, { space = [] }: Partial<Search>): Params {
  let point: unknown;
  try {
    point = JSON.parse(text);
  } catch {
    // Said below.
  }
  if (typeof point !== "object" || point === null || Array.isArray(point))
    throw new UserError("--add", { expected: 'a point as JSON, such as {"lr": 0.01}', got: text });
  const names = space.map(({ name }) => name);
  const unknown = Object.keys(point).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new UserError(`the search has no parameter "${unknown}"`, { remedy: suggestion(unknown, names) });
  }
  return point as Params;
}
