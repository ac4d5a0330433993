import type { Arm, ChartText } from "./chart.ts";
import { figure } from "./figure.ts";
import { dot, group, label, line, type Mark, type Point } from "./marks.ts";
import { legendOf } from "./page.ts";
import { textWidth } from "./text-width.ts";
import { GRID, HALO, lookOf, MUTED, RULE, SIZES } from "./theme.ts";

/** Several metrics of each arm on spokes, and the numbers in a table beside, which do not mislead. */
export interface RadialChart extends ChartText {
  kind: "radial";
  metrics: { name: string; label: string; direction: string }[];
  arms: (Arm & { shares: readonly number[]; cells: readonly string[] })[];
}

const RADIUS = 138;
const ROW = 22;
const PANEL = 480;

/** Both panels measure in pixels: the wheel from its centre, the table from its first line. */
export function drawRadial({ metrics, arms, ...text }: RadialChart): string {
  const lines = metrics.length * (arms.length + 1.4);
  const height = Math.max(2 * RADIUS + 70, lines * ROW);
  const bare = { fit: "exact", isBare: true } as const;
  return figure(
    text,
    [
      {
        x: { ...bare, domain: [-PANEL / 2, PANEL / 2] },
        y: { ...bare, domain: [-height / 2, height / 2] },
        marks: wheel({ metrics, arms }),
      },
      {
        x: { ...bare, domain: [0, PANEL] },
        y: { ...bare, domain: [-height, 0] },
        marks: table({ metrics, arms }),
      },
    ],
    { width: 1040, height, across: 2, legend: legendOf(arms) },
  );
}

type Shown = Pick<RadialChart, "metrics" | "arms">;

function wheel({ metrics, arms }: Shown): Mark[] {
  const at = (spoke: number, share: number | null): Point => {
    const angle = Math.PI / 2 - (2 * Math.PI * spoke) / metrics.length;
    // What was NaN is null after JSON, which would count as zero.
    const reach = share === null ? Number.NaN : share * RADIUS;
    return [Math.cos(angle) * reach, Math.sin(angle) * reach];
  };
  const around = (shares: readonly (number | null)[]) =>
    [...shares, shares[0]!].map((share, i) => at(i, share));
  return [
    ...[0.25, 0.5, 0.75, 1].map((share) =>
      line(around(metrics.map(() => share)), { stroke: share === 1 ? RULE : GRID }),
    ),
    ...metrics.flatMap(({ name }, i) => {
      const [x, y] = at(i, 1.1) as readonly [number, number];
      const side = Math.abs(x) < 8 ? "middle" : x > 0 ? "start" : "end";
      const place = { dy: y > RADIUS ? -2 : 5, "text-anchor": side, class: "spoke" };
      return [line([[0, 0], at(i, 1)], { stroke: GRID }), label(name, [x, y], place, { room: 150 })];
    }),
    ...arms.map(({ name, colour: slot, shares, cells }) => {
      const { colour, dash } = lookOf(slot);
      const shape = { fill: colour, "fill-opacity": 0.07, stroke: colour, "stroke-width": 2.2 };
      return group(
        { class: "arm", series: name },
        line(around(shares), { ...shape, "stroke-dasharray": dash, "stroke-linejoin": "round" }),
        ...shares.map((share, spoke) => {
          const [x, y] = at(spoke, share);
          const tip = `${name}\n${metrics[spoke]!.label}: ${cells[spoke]}`;
          return dot(x, y, { r: 3.2, fill: colour, tip });
        }),
      );
    }),
    label("50 %", [0, RADIUS / 2], { dx: 4, "font-size": 10, fill: MUTED, ...HALO }),
  ];
}

function table({ metrics, arms }: Shown): Mark[] {
  const marks: Mark[] = [];
  let y = -ROW / 2;
  for (const [m, { label: name, direction }] of metrics.entries()) {
    const room = PANEL - textWidth(direction, SIZES.tick) - 16;
    const end = { "text-anchor": "end" };
    marks.push(
      label(name, [0, y], { "font-size": SIZES.label, "font-weight": "bold" }, { room }),
      label(direction, [PANEL, y], { fill: MUTED, ...end }),
      line(
        [
          [0, y - 9],
          [PANEL, y - 9],
        ],
        { stroke: GRID },
      ),
    );
    for (const { name: arm, colour, cells } of arms) {
      y -= ROW;
      const cell = cells[m]!;
      marks.push(
        line(
          [
            [0, y],
            [10, y],
          ],
          { stroke: lookOf(colour).colour, "stroke-width": 10 },
        ),
        label(
          arm,
          [16, y],
          { "font-size": SIZES.label },
          { room: PANEL - textWidth(cell, SIZES.label) - 24 },
        ),
        label(cell, [PANEL, y], { class: "cell", "font-size": SIZES.label, ...end }),
      );
    }
    y -= ROW * 1.4;
  }
  return marks;
}
