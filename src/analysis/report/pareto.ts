/** Which way is better on each of two axes. */
export type Goals = readonly ["minimize" | "maximize", "minimize" | "maximize"];

/**
 * The points that no other beats: better on one axis and no worse on the other. From left to right. A point of
 * which a number is missing is on no front. O(n log n).
 */
export function paretoFront(points: readonly { x: number; y: number }[], [goalX, goalY]: Goals): number[] {
  const [signX, signY] = [goalX === "maximize" ? -1 : 1, goalY === "maximize" ? -1 : 1];
  const order = points
    .map((_, i) => i)
    .filter((i) => Number.isFinite(points[i]!.x) && Number.isFinite(points[i]!.y))
    .sort((a, b) => signX * (points[a]!.x - points[b]!.x) || signY * (points[a]!.y - points[b]!.y));
  const front: number[] = [];
  let best = Number.POSITIVE_INFINITY;
  let bestX = Number.NaN;
  for (const i of order) {
    const y = signY * points[i]!.y;
    // The same point twice is on the front twice: neither beats the other.
    if (y < best || (y === best && points[i]!.x === bestX)) {
      front.push(i);
      best = y;
      bestX = points[i]!.x;
    }
  }
  return front.sort((a, b) => points[a]!.x - points[b]!.x);
}
