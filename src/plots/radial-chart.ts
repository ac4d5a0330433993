import { page } from "./page.ts";
import { element, group, linePath, textElement } from "./svg.ts";
import { shortText, textWidth } from "./text-width.ts";
import { GRID, HALO, INK, lookOf, MUTED, RULE, SIZES } from "./theme.ts";

export interface RadialSpec {
  title: string;
  subtitle: string;
  metrics: { name: string; label: string; direction: string }[];
  arms: { name: string; shares: readonly number[]; cells: readonly string[] }[];
  notes: string[];
}

const WIDTH = 1040;
const RADIUS = 138;
const ROW = 22;

/**
 * Several metrics of each arm on spokes, and the numbers in a table beside: the area and the order of the spokes
 * mislead, the table does not.
 */
export function radialChart(spec: RadialSpec): string {
  const rows = spec.metrics.length * (spec.arms.length + 1.4);
  const height = Math.max(2 * RADIUS + 110, rows * ROW + 50);
  const draw = (top: number) =>
    wheel(spec, { x: 310, y: top + Math.max(40 + RADIUS, (height - 40) / 2) }) + numbers(spec, top + 14);
  const legend = spec.arms.map((arm, i) => ({ name: arm.name, look: lookOf(i) }));
  return page({ ...spec, legend }, { width: WIDTH, height, draw });
}

function wheel({ metrics, arms }: RadialSpec, centre: { x: number; y: number }): string {
  const at = (spoke: number, share: number): [number, number] => {
    const angle = (2 * Math.PI * spoke) / metrics.length - Math.PI / 2;
    return [centre.x + Math.cos(angle) * share * RADIUS, centre.y + Math.sin(angle) * share * RADIUS];
  };
  const ring = (shares: readonly number[]) => `${linePath(shares.map((share, i) => at(i, share)))}Z`;
  const rings = [0.25, 0.5, 0.75, 1].map((share) =>
    element("path", {
      d: ring(metrics.map(() => share)),
      ...{ fill: "none", stroke: share === 1 ? RULE : GRID },
    }),
  );
  const spokes = metrics.map(({ name }, i) => {
    const [x, y] = at(i, 1);
    const [lx, ly] = at(i, 1.1);
    const side = Math.abs(lx - centre.x) < 8 ? "middle" : lx > centre.x ? "start" : "end";
    const short = shortText(name, 150, SIZES.tick);
    return (
      element("line", { x1: centre.x, y1: centre.y, x2: x, y2: y, stroke: GRID }) +
      textElement(short, {
        ...{ x: lx, y: ly + (ly < centre.y - RADIUS ? -2 : 5), "font-size": SIZES.tick, fill: INK },
        ...{ "text-anchor": side, class: "spoke" },
      })
    );
  });
  const scale = [0.5].map((share) =>
    textElement(`${share * 100} %`, {
      ...{ x: centre.x + 4, y: centre.y - share * RADIUS + 4, "font-size": 10, fill: MUTED, ...HALO },
    }),
  );
  const shapes = arms.map(({ name, shares: given, cells }, i) => {
    const { colour, dash } = lookOf(i);
    // What was NaN is null after JSON, which would count as zero.
    const shares = given.map((share) => (Number.isFinite(share) ? share : Number.NaN));
    return element(
      "g",
      { class: "arm", "data-series": name },
      element("path", {
        ...{ d: ring(shares), fill: colour, "fill-opacity": 0.07, stroke: colour },
        ...{ "stroke-width": 2.2, "stroke-dasharray": dash, "stroke-linejoin": "round" },
      }),
      ...shares.flatMap((share, spoke) => {
        if (Number.isNaN(share)) return [];
        const [cx, cy] = at(spoke, share);
        const tip = `${name}\n${metrics[spoke]!.label}: ${cells[spoke]}`;
        return [element("circle", { cx, cy, r: 3.2, fill: colour, "data-tip": tip })];
      }),
    );
  });
  return [...rings, ...spokes, ...shapes, ...scale].join("");
}

function numbers({ metrics, arms }: RadialSpec, top: number): string {
  const left = 630;
  const right = WIDTH - 24;
  const parts: string[] = [];
  let y = top + 14;
  metrics.forEach(({ label, direction }, m) => {
    const head = shortText(label, right - left - textWidth(direction, SIZES.tick) - 16, SIZES.label);
    parts.push(
      textElement(head, { x: left, y, "font-size": SIZES.label, "font-weight": "bold", fill: INK }),
      textElement(direction, {
        ...{ x: right, y, "font-size": SIZES.tick, fill: MUTED, "text-anchor": "end" },
      }),
      element("line", { x1: left, x2: right, y1: y + 5, y2: y + 5, stroke: GRID }),
    );
    arms.forEach((arm, i) => {
      y += ROW;
      const cell = arm.cells[m]!;
      const room = right - left - textWidth(cell, SIZES.label) - 24;
      parts.push(
        element("rect", { x: left, y: y - 9, width: 10, height: 10, fill: lookOf(i).colour }),
        textElement(shortText(arm.name, room, SIZES.label), {
          ...{ x: left + 16, y, "font-size": SIZES.label, fill: INK },
        }),
        textElement(cell, {
          ...{ class: "cell", x: right, y, "font-size": SIZES.label, fill: INK, "text-anchor": "end" },
        }),
      );
    });
    y += ROW * 1.4;
  });
  return group("table", ...parts);
}
