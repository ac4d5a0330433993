import { relative } from "node:path";
import { readOutcomes } from "../archive/read-outcomes.ts";
import { UserError } from "../core/errors.ts";
import { rounded } from "../core/number-text.ts";
import type { MetricInfos } from "../core/run.ts";
import type { Study } from "../core/study.ts";
import { taskEasiness } from "../stats/index.ts";

/** How easy each of the study's tasks is, by `analysis.decide.history`; a task that nobody tried counts as a middling one. */
export function settleEasiness(
  { analysis, tasks }: Pick<Study, "analysis" | "tasks">,
  infos: MetricInfos = {},
): Study["easiness"] {
  const path = analysis.decide?.history;
  if (path === undefined) return undefined;
  const place = "analysis.decide.history";
  const shown = relative(process.cwd(), path);
  const metric = analysis.metric ?? "";
  const [least, most] = analysis.decide?.range ?? infos[metric]?.range ?? [0, 1];
  const { tasks: known, rows } = readOutcomes(path, metric);
  const own = new Set(tasks ?? []);
  const columns = [...known.keys()].filter((i) => own.has(known[i]!));
  if (columns.length === 0)
    throw new UserError(place, {
      expected: "outcomes on tasks of this study",
      got: `${shown}, which has ${known.slice(0, 2).join(", ")}${known.length > 2 ? ", ..." : ""}`,
      remedy: "Name the tasks as the study does.",
    });
  const scaled = rows.map((row) =>
    columns.map((i) => {
      const value = row[i] ?? null;
      if (value !== null && !(value >= least && value <= most))
        throw new UserError(place, {
          expected: `outcomes from ${least} to ${most}, as ${metric} has`,
          got: `${value} (${known[i]} in ${shown})`,
        });
      return value === null ? null : (value - least) / (most - least);
    }),
  );
  const easiness = taskEasiness(scaled);
  const middling = easiness.toSorted((a, b) => a - b)[easiness.length >> 1]!;
  const of = new Map(columns.map((column, i) => [known[column]!, easiness[i]!]));
  // Three digits are as many as an estimate has, and study.json stays readable.
  return Object.fromEntries([...own].map((task) => [task, rounded(of.get(task) ?? middling, 3)]));
}
