import { RUN_FILES } from "../core/study-folder.ts";
import type { Design } from "../design/design.ts";
import type { MetricFacts } from "../design/metric.ts";
import { type Call, totalOf } from "../plots/flame-chart.ts";
import type { ChartContext } from "../reporters/charts/chart-context.ts";
import type { RunView } from "../reporters/study-view.ts";
import { factsOf } from "./metric-info.ts";
import { readSteps } from "./read-curves.ts";
import { readInside, runFolder } from "./read-inside.ts";
import type { ReadStudy } from "./view-study.ts";

const MOST_BYTES = 64 << 20;
/** What took less than this share of the time is no part of a picture. */
const LEAST = 0.002;
const MOST_DEPTH = 60;
const MOST_SAMPLES = 400;
/** Of an arm that are drawn. */
const MOST_STARTS = 40;
const MOST_ITERATIONS = 100;

/** What instruments left of a run besides its metrics: where its time went, and what it used meanwhile. */
export function readMeasured(dir: string): Pick<RunView, "profile" | "resources"> {
  const profile = readProfile(dir);
  const resources = readResources(dir);
  return { ...(profile && { profile }), ...(resources && { resources }) };
}

/** The calls of a run in milliseconds, from V8's profile or from Python's. */
function readProfile(dir: string): Call | undefined {
  const parsers: [string, (text: string) => Call][] = [
    ["cpu-profile.cpuprofile", callsOfV8],
    ["cprofile.calls.json", callsOfPython],
  ];
  for (const [name, parse] of parsers) {
    const read = readInside(dir, `${RUN_FILES.out}/${name}`, { first: MOST_BYTES });
    if (!read || read.isCut) continue;
    try {
      const root = parse(read.text);
      const whole = totalOf(root);
      if (whole > 0) return pruned(root, LEAST * whole);
    } catch {
      // What is no profile draws none.
    }
  }
  return undefined;
}

interface V8Profile {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
    children?: number[];
  }[];
  samples?: number[];
  timeDeltas?: number[];
}

/** Chrome DevTools protocol, Profiler.Profile: the time from a sample to the next belongs to what the first one saw. */
export function callsOfV8(text: string): Call {
  const { nodes, samples = [], timeDeltas = [] } = JSON.parse(text) as V8Profile;
  const ownMs = new Map<number, number>();
  for (const [i, id] of samples.entries())
    ownMs.set(id, (ownMs.get(id) ?? 0) + (timeDeltas[i + 1] ?? 0) / 1000);
  const known = new Map(nodes.map((node) => [node.id, node]));
  const isCalled = new Set(nodes.flatMap(({ children = [] }) => children));
  const callOf = (id: number, depth: number): Call => {
    const { callFrame, children = [] } = known.get(id)!;
    const { functionName, url, lineNumber } = callFrame;
    const own = /^\((idle|program)\)$/.test(functionName) ? 0 : (ownMs.get(id) ?? 0);
    return {
      name: functionName || "(anonymous)",
      where: url === "" ? "" : `${shortPath(url)}:${lineNumber + 1}`,
      own,
      calls: depth < MOST_DEPTH ? children.map((child) => callOf(child, depth + 1)) : [],
    };
  };
  const roots = nodes.filter(({ id }) => !isCalled.has(id)).map(({ id }) => callOf(id, 0));
  const whole = { name: "all", where: "", own: 0, calls: roots };
  const bodies = timedIn(whole);
  return bodies.length > 0 ? { ...whole, name: "iterations", calls: bodies } : inner(whole);
}

/** What stopwatches called: the bodies, without what runs, instruments and starts them. A program has none. */
function timedIn({ name, calls }: Call): Call[] {
  return calls.flatMap((call) =>
    name === "measure" && /^time(Batch)?$/.test(call.name) ? call.calls : timedIn(call),
  );
}

interface PythonCalls {
  functions: { function: string; file: string; line: number; self_s: number; total_s: number }[];
  /** Caller, callee, and the time of the callee when this one called it. */
  calls: [caller: number, callee: number, totalS: number][];
}

/**
 * cProfile knows who called whom and for how long, not whole stacks: below a function that several others call, its time is
 * shared out in proportion to how long it took for each of them.
 */
export function callsOfPython(text: string): Call {
  const { functions, calls } = JSON.parse(text) as PythonCalls;
  const below = new Map<number, [callee: number, totalS: number][]>();
  const isCalled = new Set<number>();
  for (const [caller, callee, totalS] of calls) {
    if (caller === callee) continue;
    isCalled.add(callee);
    below.set(caller, [...(below.get(caller) ?? []), [callee, totalS]]);
  }
  const whole = functions.reduce((sum, { self_s }) => sum + self_s, 0);
  const callOf = (at: number, seconds: number, open: readonly number[]): Call => {
    const { function: name, file, line, total_s } = functions[at]!;
    const share = total_s > 0 ? seconds / total_s : 0;
    const inside = (below.get(at) ?? [])
      .filter(([callee, totalS]) => !open.includes(callee) && totalS * share > LEAST * whole)
      .map(([callee, totalS]) => callOf(callee, totalS * share, [...open, callee]));
    const spent = inside.reduce((sum, call) => sum + totalOf(call), 0);
    return {
      name,
      where: /^[~<]/.test(file) ? "" : `${shortPath(file)}:${line}`,
      own: Math.max(0, 1000 * seconds - spent),
      calls: inside,
    };
  };
  const roots = functions.flatMap((one, at) => (isCalled.has(at) ? [] : [callOf(at, one.total_s, [at])]));
  return inner({ name: "all", where: "", own: 0, calls: roots });
}

/** Without the callers above that do nothing but call one function: what calls the body is the same for every body. */
function inner(root: Call): Call {
  let at = root;
  for (;;) {
    const whole = totalOf(at);
    const heaviest = at.calls.toSorted((a, b) => totalOf(b) - totalOf(a))[0];
    if (!heaviest || totalOf(heaviest) < 0.97 * whole || heaviest.calls.length === 0) return at;
    at = heaviest;
  }
}

function pruned(call: Call, least: number): Call {
  const kept = call.calls.filter((one) => totalOf(one) >= least);
  const left = call.calls.filter((one) => totalOf(one) < least);
  return {
    ...call,
    own: left.reduce((sum, one) => sum + totalOf(one), call.own),
    calls: kept.map((one) => pruned(one, least)),
  };
}

function shortPath(path: string): string {
  return path
    .replace(/^file:\/\//, "")
    .split("/")
    .slice(-2)
    .join("/");
}

/** Seconds since the first sample, percent of one core, and megabytes. */
function readResources(dir: string): RunView["resources"] {
  const read = readInside(dir, `${RUN_FILES.out}/resources.jsonl`, { first: MOST_BYTES });
  if (!read) return undefined;
  const lines = read.text.split("\n").flatMap((line) => {
    try {
      const { ts, cpu_percent, rss_bytes } = JSON.parse(line) as Record<string, unknown>;
      return typeof ts === "number" && typeof cpu_percent === "number" && typeof rss_bytes === "number"
        ? [{ ts, cpu: cpu_percent, rss: rss_bytes / 1e6 }]
        : [];
    } catch {
      return [];
    }
  });
  if (lines.length < 2) return undefined;
  const step = Math.ceil(lines.length / MOST_SAMPLES);
  const kept = lines.filter((_, i) => i % step === 0 || i === lines.length - 1);
  const digits = (value: number) => Math.round(1000 * value) / 1000;
  return {
    seconds: kept.map(({ ts }) => digits(ts - kept[0]!.ts)),
    cpuPercent: kept.map(({ cpu }) => digits(cpu)),
    rssMb: kept.map(({ rss }) => digits(rss)),
  };
}

/** What the runs of each arm left of their iterations, and the profile of the first that has one. */
export async function readArms(
  { studyDir, study }: ReadStudy,
  design: Design,
  metric: MetricFacts | null,
): Promise<NonNullable<ChartContext["measured"]> | undefined> {
  if (study.study.iterations.measured <= 1) return undefined;
  const good = design.runs.filter(({ record }) => record.outcome.status === "ok");
  const series = good.flatMap(({ record, arm }) => {
    const dir = runFolder(studyDir, record.id);
    const steps = dir === undefined ? null : readSteps(dir, MOST_ITERATIONS);
    return dir === undefined ? [] : [{ record, arm, dir, columns: steps?.columns ?? {} }];
  });
  const stem = metric?.name.replace(/_(min|mean|p\d\d)$/, "") ?? "";
  const column = [stem, "duration_ms"].find((name) =>
    series.some(({ columns }) => Object.hasOwn(columns, name)),
  );
  const isSeveral = new Set(good.map(({ record }) => record.seed)).size > 1;
  const arms = design.arms.map(({ name }) => {
    const own = series.filter(({ arm }) => arm === name).slice(0, MOST_STARTS);
    let profile: Call | undefined;
    for (const { dir } of own) if (!profile) profile = readProfile(dir);
    return {
      ...{ name, profile: profile ?? null },
      starts: own.map(({ record, columns }, i) => ({
        name: own.length === 1 ? "" : isSeveral ? `seed ${record.seed}` : `start ${i + 1}`,
        values: (columns[column ?? ""] ?? []).filter((value) => value !== null),
      })),
    };
  });
  return { metric: column === undefined ? null : await factsOf(study, column), arms };
}
