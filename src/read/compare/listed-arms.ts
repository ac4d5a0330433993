import { ArmBook, type Place } from "../../analysis/compare/arm-book.ts";
import type { ListedRuns } from "../../archive/read-pairs.ts";
import { UserError } from "../../core/errors.ts";
import { plural } from "../../core/number-text.ts";
import { faultOf, type RunRecord } from "../../core/run.ts";
import { nearest } from "../../core/suggest.ts";
import type { ArmSet } from "../../design/arm-set.ts";
import { metricReaders, type StudyRuns } from "./metric-readers.ts";
import type { CompareRequest } from "./request.ts";

interface Found {
  record: RunRecord;
  dir: string;
}

/** Makes two arms, control and candidate, of runs that are named one by one; pairs must share their seed. */
export async function listedArms(
  studies: readonly StudyRuns[],
  request: CompareRequest & { listed: ListedRuns },
): Promise<ArmSet[]> {
  const { listed } = request;
  const all = studies.flatMap(({ dir, records }) => records.map((record) => ({ record, dir })));
  const pairs = listed.pairs.map((pair, i) => checked(pair, { all, number: i + 1 }));
  const lists = {
    control: listed.control.map((name) => find(name, all)),
    candidate: listed.candidate.map((name) => find(name, all)),
  };
  if (pairs.length > 0 && lists.control.length > 0)
    throw new UserError("--pairs", { expected: "pairs, or two lists", got: "both" });
  const metrics = await metricReaders(studies, request);
  const book = new ArmBook(metrics);
  const add = (arm: string, { record, dir }: Found, unit: string) => {
    const owner = faultOf(record.outcome);
    const place: Place = { id: record.id, arm, part: null, unit, owner };
    book.add(
      place,
      metrics.map(({ read }) => (owner === undefined ? read(record, dir) : null)),
    );
  };
  const seeds = new Set(pairs.map(({ control }) => control.record.seed));
  const isBySeed = seeds.size === pairs.length;
  for (const [i, { control, candidate }] of pairs.entries()) {
    const unit = isBySeed ? String(control.record.seed) : `${i + 1} (seed ${control.record.seed})`;
    add("control", control, unit);
    add("candidate", candidate, unit);
  }
  for (const arm of ["control", "candidate"] as const)
    for (const run of lists[arm]) add(arm, run, run.dir === "" ? run.record.id : String(run.record.seed));
  const isPaired = pairs.length > 0;
  return book.sets(
    { keys: [isPaired && !isBySeed ? "pair" : "seed"], hasRollouts: false, isAsked: isPaired },
    ["control", "candidate"],
  );
}

function checked(
  pair: ListedRuns["pairs"][number],
  { all, number }: { all: readonly Found[]; number: number },
): { control: Found; candidate: Found } {
  const [control, candidate] = [find(pair.control, all), find(pair.candidate, all)];
  const [first, second] = [control.record.seed, candidate.record.seed];
  if (first !== second || (pair.seed !== undefined && pair.seed !== first)) {
    throw new UserError(`pair ${number} is none`, {
      expected: pair.seed === undefined ? "two runs of one seed" : `two runs of seed ${pair.seed}`,
      got: `seed ${first} (${pair.control}) and seed ${second} (${pair.candidate})`,
      remedy: "Name them as control_run_ids and candidate_run_ids to compare them unpaired.",
    });
  }
  return { control, candidate };
}

function find(name: string, all: readonly Found[]): Found {
  const exact = all.filter(({ record }) => record.id === name);
  const found =
    exact.length > 0 ? exact : all.filter(({ record: { id } }) => id.startsWith(name) || id.endsWith(name));
  if (found.length === 1) return found[0]!;
  throw new UserError(
    found.length > 1 ? `"${name}" could be ${found.length} runs` : `there is no run "${name}"`,
    {
      remedy: whichInstead(name, found.length > 1 ? found : all),
    },
  );
}

const MOST_NAMED = 3;

/** A few that it could be; a list of all would bury the message. */
function whichInstead(name: string, all: readonly Found[]): string {
  const ids = all.map(({ record }) => record.id);
  const near = ids.filter((id) => id.startsWith(name) || id.endsWith(name));
  const shown = (near.length > 0 ? near : nearest(name, ids)).slice(0, MOST_NAMED);
  if (shown.length === 0)
    return `\`assay query STUDY "SELECT run_id FROM runs"\` lists ${plural(ids.length, "run")}.`;
  return `${near.length > MOST_NAMED ? "Some of them" : "Did you mean"}: ${shown.join(", ")}${near.length > MOST_NAMED ? "." : "?"}`;
}
