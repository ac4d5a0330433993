import { conclude } from "../../analysis/compare/conclude.ts";
import { isResult } from "../../archive/read-result.ts";
import type { Warning } from "../../core/warning.ts";
import type { ArmSet } from "../../design/arm-set.ts";
import { confoundersOf } from "../../design/confounders.ts";
import { readJson } from "../../host/files.ts";
import type { ComparedStudies } from "./compare-runs.ts";
import type { CompareRequest } from "./request.ts";

/** Compares what is in tables, in exports of hyperfine or in result files. */
export async function compareFiles(
  kind: "CSV" | "JSON",
  names: readonly string[],
  request: CompareRequest,
): Promise<ComparedStudies> {
  if (kind === "JSON" && isResult(readJson(names[0]!))) return compareResults(names, request);
  const sets = await setsOfFiles(kind, names, request);
  const options = { ...request, ...baselineOfFiles(sets, names, request) };
  const { compared, ...told } = conclude(sets, { options });
  return { ...compared, ...told, standing: null };
}

/** Each file is an arm, and the first is what the others are compared with. */
function baselineOfFiles(
  sets: readonly ArmSet[],
  names: readonly string[],
  { baseline, by }: CompareRequest,
): { baseline?: string } {
  if (baseline !== undefined) return { baseline };
  const first = sets[0]?.arms[0]?.name;
  return names.length > 1 && !by && first !== undefined ? { baseline: first } : {};
}

/** Two single starts are never sure; several of each are compared as such. */
async function compareResults(paths: readonly string[], request: CompareRequest): Promise<ComparedStudies> {
  const { moreStarts, resultArms, resultCircumstances } = await import("./result-arms.ts");
  const results = resultArms(paths, request);
  const { sets, runs, notes, labels } = results;
  const isSingle = sets[0]!.arms.some(({ observations }) => observations.length < 2);
  const ofRuns = new Set(runs.flatMap(({ warnings = [] }) => warnings));
  const more = isSingle ? moreStarts(results) : undefined;
  const said: Warning[] = [
    ...(more === undefined
      ? []
      : [
          {
            ...{ kind: "one-start", level: "warn" as const },
            text: `A result file is one start of its program. Its iterations share that start, so they can't tell what differs from one start to the next (memory layout, what else the machine did) from what differs between the arms. ${more}`,
          },
        ]),
    ...notes.map((text) => ({ kind: "statistic", level: "info" as const, text })),
    ...[...ofRuns].map((text) => ({
      ...{ kind: "of-run", level: "warn" as const },
      text: `Of a run itself: ${text}.`,
    })),
  ];
  const { compared, ...told } = conclude(sets, {
    options: { ...request, ...baselineOfFiles(sets, paths, request) },
    about: {
      confounders: confoundersOf(runs.map(resultCircumstances)),
      names: [...new Set(labels)],
      notes: said,
    },
  });
  return { ...compared, ...told, ...(more !== undefined && { next: [more] }), standing: null };
}

async function setsOfFiles(
  kind: "CSV" | "JSON",
  names: readonly string[],
  request: CompareRequest,
): Promise<ArmSet[]> {
  if (kind === "CSV") return (await import("./csv-arms.ts")).csvArms(names, request);
  return (await import("./hyperfine-arms.ts")).hyperfineArms(names);
}
