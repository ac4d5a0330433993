import type { Params, Value } from "../core/params.ts";
import { isPattern, type MetricInfo, type Metrics, parsePattern, type RunRecord } from "../core/run.ts";
import type { Analysis, Axis } from "../core/study.ts";
import type { StudyFile } from "../core/study-folder.ts";
import { levelText } from "./factors.ts";
import { WAITING } from "./statistic.ts";

interface Folded {
  study: StudyFile | undefined;
  records: readonly RunRecord[];
}

/** Runs as if what a metric's names say had been varied, and what the metric is called then. */
export interface Unfolded<From extends Folded> {
  study: From["study"];
  records: RunRecord[];
  metric: string;
}

/**
 * `build_us.{algorithm}.n{agents}` asks for every `build_us.quadtree.n100` of a run: each becomes a run of its own, with the
 * parts among its parameters. From there on they are settings like any other, so arms, pairs, axes and verdicts are
 * decided where those of all studies are. Any other metric leaves the runs as they are.
 */
export function unfold<From extends Folded>(from: From, metric: string): Unfolded<From> {
  const { study, records } = from;
  if (!isPattern(metric)) return { study, records: [...records], metric };
  const pattern = parsePattern(metric);
  const info = study?.metrics?.[metric];
  const name = info?.label ?? pattern.stem;
  const all = new Map<string, Params>();
  const found = records.map(({ metrics }) => {
    const own = new Map<string, { params: Params; metrics: Metrics }>();
    for (const [key, value] of Object.entries(metrics)) {
      const read = pattern.read(key);
      if (!read) continue;
      const place = read.values.map(levelText).join("\x01");
      const params = Object.fromEntries(pattern.parts.map((part, i) => [part, read.values[i]!]));
      if (!all.has(place)) all.set(place, params);
      const one = own.get(place) ?? own.set(place, { params, metrics: sharedBy(metrics) }).get(place)!;
      one.metrics[`${name}${read.statistic}`] = value;
    }
    return own;
  });
  const unfolded = records.flatMap((record, i) => {
    // A run that failed has no number anywhere.
    const own =
      record.outcome.status === "ok"
        ? found[i]!
        : new Map([...all].map(([k, params]) => [k, { params, metrics: {} }]));
    return [...own].map(([place, { params, metrics }]) => ({
      ...record,
      ...{ id: `${record.id}#${place.replaceAll("\x01", ",")}`, metrics },
      params: { ...record.params, ...params },
    }));
  });
  return {
    study: study && withParts(study, { parts: pattern.parts, all, metric, name, info }),
    records: unfolded,
    metric: name,
  };
}

/** What is true of the whole run, whichever of its numbers is meant. */
function sharedBy(metrics: Metrics): Metrics {
  return Object.hasOwn(metrics, WAITING) ? { [WAITING]: metrics[WAITING]! } : {};
}

interface Parts {
  parts: readonly string[];
  all: ReadonlyMap<string, Params>;
  metric: string;
  name: string;
  info: MetricInfo | undefined;
}

function withParts(file: StudyFile, { parts, all, metric, name, info }: Parts): StudyFile {
  const { study } = file;
  const swept = new Set(study.axes.flatMap(({ names }) => names));
  const axes = parts.filter((part) => !swept.has(part)).map((part) => axisOf(part, [...all.values()]));
  const renamed = (analysis: Analysis): Analysis => {
    const baseline = { ...info?.baseline, ...analysis.baseline };
    return {
      ...analysis,
      ...(analysis.metric === metric && { metric: name }),
      ...(Object.keys(baseline).length > 0 && { baseline }),
    };
  };
  return {
    ...file,
    ...(info && { metrics: { ...file.metrics, [name]: info } }),
    study: { ...study, axes: [...study.axes, ...axes], analysis: renamed(study.analysis) },
    launches: file.launches.map((launch) =>
      launch.analysis ? { ...launch, analysis: renamed(launch.analysis) } : launch,
    ),
  };
}

/** In the order in which the runs have them, numbers by their size. */
function axisOf(part: string, places: readonly Params[]): Axis {
  const values = new Map<string, Value>();
  for (const params of places) values.set(levelText(params[part]), params[part]!);
  const list = [...values.values()];
  const isNumeric = list.every((value) => typeof value === "number");
  const sorted = isNumeric ? list.toSorted((a, b) => Number(a) - Number(b)) : list;
  return { names: [part], rows: sorted.map((value) => [value]) };
}
