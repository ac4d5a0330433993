/** Milliseconds since 1970 of a time as Python writes it; one without a zone is taken for UTC. */
export function timeMs(text: string | null): number | undefined {
  if (text === null) return undefined;
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/.test(text);
  const ms = Date.parse(hasZone ? text : `${text.replace(" ", "T")}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

export function millisecondsBetween(from: string | null, to: string | null): number | undefined {
  const start = timeMs(from);
  const end = timeMs(to);
  return start === undefined || end === undefined || end < start ? undefined : end - start;
}

export function secondsBetween(from: string | null, to: string | null): number | undefined {
  const ms = millisecondsBetween(from, to);
  return ms === undefined ? undefined : ms / 1000;
}
