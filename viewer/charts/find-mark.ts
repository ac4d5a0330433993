import type { PointedLine } from "./mark-tip.ts";

const REACH = 14;
const MARKS = "[data-tip], path.mean";

/** The mark nearest to the pointer, if one is near: dots are small, and lines are thin. */
export function findMark(svg: SVGSVGElement, { clientX, clientY }: MouseEvent): Element | null {
  let best: Element | null = null;
  let bestDistance = REACH;
  for (const mark of svg.querySelectorAll(MARKS)) {
    if (mark.closest("[data-hidden]")) continue;
    const box = mark.getBoundingClientRect();
    const dx = Math.max(box.left - clientX, 0, clientX - box.right);
    const dy = Math.max(box.top - clientY, 0, clientY - box.bottom);
    let distance = Math.hypot(dx, dy);
    if (distance >= bestDistance) continue;
    if (mark instanceof SVGPathElement) distance = nearestPoint(mark, clientX, clientY).distance;
    // Of two that are as near, the one drawn later lies on top.
    if (distance <= bestDistance) [best, bestDistance] = [mark, distance];
  }
  return best;
}

/** Which line it is: charts draw lines in the order of their data. */
export function readLine(
  svg: SVGSVGElement,
  mark: Element,
  { clientX, clientY }: MouseEvent,
): PointedLine | null {
  if (!(mark instanceof SVGPathElement)) return null;
  const lines = [...svg.querySelectorAll("path.mean")];
  return { index: lines.indexOf(mark), point: nearestPoint(mark, clientX, clientY).index };
}

function nearestPoint(
  path: SVGPathElement,
  clientX: number,
  clientY: number,
): { index: number; distance: number } {
  const matrix = path.getScreenCTM();
  let best = { index: 0, distance: Number.POSITIVE_INFINITY };
  if (!matrix) return best;
  const numbers = path.getAttribute("d")!.match(/-?[\d.]+(?:e-?\d+)?/g) ?? [];
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    const at = new DOMPoint(Number(numbers[i]), Number(numbers[i + 1])).matrixTransform(matrix);
    const distance = Math.hypot(at.x - clientX, at.y - clientY);
    if (distance < best.distance) best = { index: i / 2, distance };
  }
  return best;
}
