/** The known names nearest to a misspelt one, best first; none when nothing is near. */
export function nearest(name: string, known: Iterable<string>, most = 3): string[] {
  const limit = Math.max(1, Math.floor(name.length / 3));
  const wanted = normal(name);
  const scored: { word: string; distance: number }[] = [];
  for (const word of known) {
    const candidate = normal(word);
    const near = candidate.startsWith(wanted) || wanted.startsWith(candidate);
    const distance =
      near && wanted.length > 2 ? (wanted === candidate ? 0 : 0.5) : editDistance(wanted, candidate);
    if (distance <= limit) scored.push({ word, distance });
  }
  scored.sort((a, b) => a.distance - b.distance);
  return scored.slice(0, most).map(({ word }) => word);
}

/** `Did you mean "seeds"?`, or else the list of what there is. */
export function suggestion(name: string, known: Iterable<string>): string {
  const all = [...known];
  const [best] = nearest(name, all, 1);
  if (best !== undefined) return `Did you mean "${best}"?`;
  return all.length > 0 ? `Known: ${listed(all)}.` : "";
}

/** More names than this are counted, not read out. */
const MOST_LISTED = 20;

/** The names, or the first of very many. */
export function listed(names: readonly string[]): string {
  const more = names.length - MOST_LISTED;
  return more > 1 ? `${names.slice(0, MOST_LISTED).join(", ")} and ${more} more` : names.join(", ");
}

function normal(word: string): string {
  return word.toLowerCase().replaceAll(/[-_\s]/g, "");
}

/** Optimal string alignment distance: insertions, deletions, substitutions and swapped neighbours cost 1. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, before[j - 2]! + 1);
      }
      current.push(cost);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length]!;
}
