import { existsSync, statSync } from "node:fs";
import { relative } from "node:path";
import { findStudy } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import { shellWord } from "../core/escape.ts";
import { countText, plural } from "../core/number-text.ts";
import { prepareFile } from "../launch/prepare-study.ts";
import { changeSearch, type SearchChange } from "../launch/search/change-search.ts";
import { openSearch } from "../launch/search/open-search.ts";
import { type Replay, replaySearch } from "../launch/search/replay-search.ts";
import { overridesFrom, type SelectionOptions } from "./overrides.ts";
import { printWarnings } from "./terminal.ts";

export interface SweepOptions extends SelectionOptions {
  fresh?: boolean;
  pause?: boolean;
  resume?: boolean;
  finish?: boolean;
  points?: number;
  add?: string[];
  replay?: boolean;
  json?: boolean;
  config?: string;
}

/** Makes a sweep of a study file that workers can join, or changes one that is there. */
export async function sweep(what: string | undefined, options: SweepOptions): Promise<void> {
  if (what === undefined || options.config !== undefined)
    throw new UserError(
      options.config === undefined ? "no study file" : "`assay run` runs a matrix file, not `assay sweep`",
      {
        remedy: `assay run ${shellWord(options.config ?? "study.yaml")} runs it; assay sweep FILE makes a sweep that workers share.`,
      },
    );
  if (options.replay) return tellReplay(await replaySearch(findStudy(what, options.outRoot)), options);
  const change = changeFrom(options);
  if (change) return tell(await changeSearch(findStudy(what, options.outRoot), change), options);
  if (existsSync(what) && statSync(what).isDirectory()) {
    throw new UserError(`${what} is a folder, not a study file`, {
      remedy: "To change a sweep add --pause, --resume, --finish, --points or --add.",
    });
  }
  const prepared = await prepareFile(what, overridesFrom(options));
  if (!options.json) printWarnings(prepared.study);
  const { ledger, total, notes } = await openSearch(prepared, { fresh: options.fresh ?? false });
  ledger.close();
  const dir = relative(process.cwd(), prepared.studyDir) || ".";
  if (options.json) {
    console.log(JSON.stringify({ id: dir, total: Number.isFinite(total) ? total : null, notes }));
    return;
  }
  for (const { text } of notes) console.log(text);
  const size = Number.isFinite(total) ? plural(total, "run") : "runs until you stop it";
  console.log(`sweep ${dir}: ${prepared.study.search?.method ?? "matrix"}, ${size}`);
  console.log(`Start workers, as many as you like: assay worker ${dir}`);
}

function changeFrom({ pause, resume, finish, points, add }: SweepOptions): SearchChange | undefined {
  const change: SearchChange = {};
  if (pause) change.state = "paused";
  if (resume) change.state = "open";
  if (finish) change.state = "finished";
  if (points !== undefined) change.points = points;
  if (add) change.add = add;
  if ([pause, resume, finish].filter(Boolean).length > 1) {
    throw new UserError("--pause, --resume and --finish exclude each other");
  }
  return Object.keys(change).length > 0 ? change : undefined;
}

function tell(
  { state, points, open }: Awaited<ReturnType<typeof changeSearch>>,
  { json }: SweepOptions,
): void {
  if (json) console.log(JSON.stringify({ state, points, open }));
  else console.log(`${state}; ${countText(points)} points so far, ${plural(open, "run")} under way`);
}

function tellReplay(replay: Replay, { json }: SweepOptions): void {
  const { asked, same, first, ended, endedAgain } = replay;
  if (json) console.log(JSON.stringify(replay));
  else {
    if (!first) console.log(`all ${countText(asked)} points are proposed again`);
    else
      console.log(
        `${countText(same)} of ${plural(asked, "point")} are proposed again; point ${first.number} was ${JSON.stringify(first.was)} and is ${JSON.stringify(first.now)} now`,
      );
    if (ended > 0)
      console.log(`${countText(endedAgain)} of ${plural(ended, "point")} that ended early do so again`);
  }
  if (first || endedAgain < ended) process.exitCode = 1;
}
