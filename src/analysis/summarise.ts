import type { Params } from "../core/params.ts";
import type { RunRecord } from "../core/run.ts";
import type { Study } from "../core/study.ts";
import { mean } from "../stats/summaries/mean.ts";
import { standardDeviation } from "../stats/summaries/standard-deviation.ts";

/** What the runs of one cell say of one metric. */
export interface Estimate {
  n: number;
  /** Runs that ended well without a number for it. */
  missing: number;
  mean: number | null;
  sd: number | null;
  min: number | null;
  max: number | null;
}

export interface CellSummary {
  coordinates: Params;
  variant: string;
  runs: number;
  failed: number;
  metrics: Record<string, Estimate>;
}

type Layout = Pick<Study, "axes" | "variants">;

/** Groups runs by the axes that vary and by variant; seeds and repeats are what is averaged over. */
export function summariseCells(records: Iterable<RunRecord>, study: Layout): CellSummary[] {
  const axisNames = study.axes.flatMap((axis) => axis.names);
  const groups = new Map<string, { summary: CellSummary; values: Map<string, number[]> }>();
  for (const record of records) {
    const coordinates: Params = {};
    for (const name of axisNames)
      if (Object.hasOwn(record.params, name)) coordinates[name] = record.params[name]!;
    const key = JSON.stringify([coordinates, record.variant]);
    let group = groups.get(key);
    if (!group) {
      group = {
        summary: { coordinates, variant: record.variant, runs: 0, failed: 0, metrics: {} },
        values: new Map(),
      };
      groups.set(key, group);
    }
    group.summary.runs++;
    if (record.outcome.status !== "ok") {
      group.summary.failed++;
      continue;
    }
    for (const [name, value] of Object.entries(record.metrics)) {
      const values = group.values.get(name) ?? [];
      if (value !== null) values.push(value);
      group.values.set(name, values);
    }
  }
  const cells = [...groups.values()].map(({ summary, values }) => {
    const ok = summary.runs - summary.failed;
    for (const [name, numbers] of values) summary.metrics[name] = estimate(numbers, ok);
    return summary;
  });
  return inPlanOrder(cells, study);
}

/** Runs end in any order; a table reads best in the order that the study file has. */
function inPlanOrder(cells: CellSummary[], { axes, variants }: Layout): CellSummary[] {
  const ranks = axes.map(({ rows }) => new Map(rows.map((row, i) => [JSON.stringify(row), i])));
  const keys = new Map(
    cells.map((cell) => {
      const key = axes.map(({ names }, a) => {
        const row = names.map((name) => cell.coordinates[name]);
        return ranks[a]!.get(JSON.stringify(row)) ?? -1;
      });
      return [cell, [...key, variants.findIndex(({ name }) => name === cell.variant)]];
    }),
  );
  return cells.sort((a, b) => {
    const [left, right] = [keys.get(a)!, keys.get(b)!];
    const at = left.findIndex((rank, i) => rank !== right[i]);
    return at < 0 ? 0 : left[at]! - right[at]!;
  });
}

function estimate(values: number[], ok: number): Estimate {
  const average = mean(values);
  const spread = standardDeviation(values);
  return {
    n: values.length,
    missing: ok - values.length,
    mean: average.known ? average.value : null,
    sd: spread.known ? spread.value : null,
    min: values.length > 0 ? values.reduce((a, b) => Math.min(a, b)) : null,
    max: values.length > 0 ? values.reduce((a, b) => Math.max(a, b)) : null,
  };
}
