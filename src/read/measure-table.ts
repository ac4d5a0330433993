import { basename } from "node:path";
import { settleFailures } from "../analysis/compare/settle-failures.ts";
import type { Measurement, Measurements } from "../analysis/measurements.ts";
import { UserError } from "../core/errors.ts";
import { metricFacts } from "../design/metric.ts";
import type { UnitKind } from "../design/unit.ts";
import { csvArms } from "./compare/csv-arms.ts";
import type { MeasureOptions } from "./measure-runs.ts";

/** The numbers of a CSV file with named columns, or of a matrix of outcomes: the same arms as `compare` makes of it. */
export function measureTable(path: string, options: MeasureOptions): Measurements {
  const { metric, by, task, where, goal, baseline = null, samples, summary } = options;
  if (summary !== undefined) throw new UserError("--summary", { expected: "a study with series", got: path });
  const [set] = csvArms([path], {
    ...(metric !== undefined && { metrics: [metric] }),
    ...(by && { by }),
    ...(task !== undefined && { task }),
    ...(where !== undefined && { where }),
    ...(goal && { goal }),
    ...(samples !== undefined && { samples }),
  });
  const arms = set!.arms.map(({ name }) => name);
  const runs: Measurement[] = [];
  const missing: Measurements["missing"] = [];
  for (const { arm } of settleFailures(set!).arms) {
    for (const { id, unit, value, owner } of arm.observations) {
      const label = `row ${id}`;
      if (value === null) missing.push({ id: label, arm: arm.name, why: whyMissing(owner, set!.metric) });
      else
        runs.push({
          ...{ id: label, arm: arm.name, unit: unit ?? label, task: unit, value },
          ...{ wallMs: null, costUsd: null },
        });
    }
  }
  const counted: UnitKind =
    set!.keys.length === 0 ? "run" : set!.keys.length === 1 && set!.hasRollouts ? "task" : "seed";
  return {
    ...{ study: basename(path), metric: set!.metric, what: set!.metric, summary: null, window: null },
    ...{ unit: metricFacts(set!.metric).unit, goal: set!.goal ?? null, by: by ?? [], arms, baseline },
    colours: Object.fromEntries(arms.map((name, colour) => [name, colour])),
    ...{ counted, set: set!, runs, missing, cautions: set!.cautions ?? [], standing: null },
  };
}

function whyMissing(owner: string | undefined, metric: string): string {
  return owner === undefined || owner === "unknown" ? `it has no ${metric}` : `it failed (${owner})`;
}
