import type { Mark } from "./mark-tip.ts";

const REACH = 14;
const MARKS = "[data-tip], .value, .mean, .interval, .difference, .pair";

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

/** Which mark it is: the charts draw marks in the order of their data. */
export function readMark(svg: SVGSVGElement, mark: Element, { clientX, clientY }: MouseEvent): Mark {
  const name = mark.classList[0] ?? "";
  const arms = [...svg.querySelectorAll("g.arm")];
  const group = mark.closest("g.arm");
  const peers = [...(group ?? svg).querySelectorAll(`.${CSS.escape(name)}`)];
  const point = mark instanceof SVGPathElement ? nearestPoint(mark, clientX, clientY).index : 0;
  return { name, index: peers.indexOf(mark), arm: group ? arms.indexOf(group) : 0, point };
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
