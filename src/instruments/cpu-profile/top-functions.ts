/** The parts of a .cpuprofile (Chrome DevTools protocol, Profiler.Profile) that are read here. */
export interface CpuProfile {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
    hitCount?: number;
    children?: number[];
  }[];
  startTime: number;
  endTime: number;
  samples?: number[];
  timeDeltas?: number[];
}

export interface TopFunction {
  function: string;
  file: string;
  line: number;
  /** In the function itself. */
  self_ms: number;
  /** In it and in what it called; recursion counts once. */
  total_ms: number;
  /** Samples that were taken in the function itself. */
  hits: number;
}

/** The functions that a profile spends its time in, by total time. O(nodes + samples). */
export function topFunctions(
  profile: CpuProfile,
  most: number,
): { by_self: TopFunction[]; by_total: TopFunction[] } {
  const selfUs = new Map<number, number>();
  const hits = new Map<number, number>();
  for (const [i, id] of (profile.samples ?? []).entries()) {
    // The time from a sample to the next one belongs to what the first one saw.
    selfUs.set(id, (selfUs.get(id) ?? 0) + (profile.timeDeltas?.[i + 1] ?? 0));
    hits.set(id, (hits.get(id) ?? 0) + 1);
  }
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const found = new Map<string, TopFunction>();
  const isChild = new Set(profile.nodes.flatMap((node) => node.children ?? []));
  const visit = (id: number, open: ReadonlySet<string>): number => {
    const { callFrame, children = [] } = nodes.get(id)!;
    const key = `${callFrame.functionName}\0${callFrame.url}\0${callFrame.lineNumber}`;
    const own = selfUs.get(id) ?? 0;
    const within = open.has(key) ? open : new Set(open).add(key);
    const total = children.reduce((sum, child) => sum + visit(child, within), own);
    let entry = found.get(key);
    if (!entry) {
      const { functionName, url, lineNumber } = callFrame;
      const name = functionName || "(anonymous)";
      entry = { function: name, file: url, line: lineNumber + 1, self_ms: 0, total_ms: 0, hits: 0 };
      found.set(key, entry);
    }
    entry.self_ms += own / 1000;
    entry.hits += hits.get(id) ?? 0;
    if (!open.has(key)) entry.total_ms += total / 1000;
    return total;
  };
  for (const { id } of profile.nodes) if (!isChild.has(id)) visit(id, new Set());
  const isReal = ({ function: name }: TopFunction) => !/^\((root|program|idle)\)$/.test(name);
  const all = [...found.values()];
  return {
    by_self: all
      .filter((entry) => entry.hits > 0 && isReal(entry))
      .sort((a, b) => b.self_ms - a.self_ms)
      .slice(0, most),
    by_total: all
      .filter(isReal)
      .sort((a, b) => b.total_ms - a.total_ms)
      .slice(0, most),
  };
}
