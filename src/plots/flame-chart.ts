import { numberText, percentText } from "../core/number-text.ts";
import type { ChartText } from "./chart.ts";
import { figure } from "./figure.ts";
import { bar, group, label, type Mark } from "./marks.ts";
import { INK, lookOf, MUTED, VERDICTS } from "./theme.ts";

/** A function as it was called from the one above it, with the time in itself and what it called. */
export interface Call {
  name: string;
  /** File and line, where they are known. */
  where: string;
  /** In itself, without what it called. */
  own: number;
  calls: Call[];
}

/**
 * Where the time of a run went: the outermost function above, what it called below it, as wide as the time that was spent
 * there. Beside another run's (`against`), colours tell what takes longer and what less.
 */
export interface FlameChart extends ChartText {
  kind: "flame";
  unit: string;
  root: Call;
  against: Call | null;
}

/** One profile in milliseconds, or one beside another. */
export function flameOf(title: string, root: Call, against: Call | null): FlameChart {
  const gone = against ? goneFrom(root, against).slice(0, MOST_GONE) : [];
  return {
    ...{ kind: "flame", title, unit: "ms", root, against },
    subtitle: against
      ? "Orange: takes longer. Green: takes less."
      : "As wide as the time that was spent there",
    notes: [
      `One run, all its iterations together${against ? "; widths are those of the one named first" : ""}. A function stands below the one that called it.`,
      ...(gone.length > 0
        ? [`Only before: ${gone.map(({ name, total }) => `${name} (${numberText(total)} ms)`).join(", ")}.`]
        : []),
    ],
  };
}

const ROW = 20;
const MOST_GONE = 3;
const MOST_ROWS = 24;
/** Narrower than this share, nothing is seen. */
const LEAST = 0.001;

interface Cell {
  call: Call;
  from: number;
  total: number;
  before: number | null;
  depth: number;
}

const keyOf = ({ name, where }: Call) => `${name}\n${where}`;

export function totalOf({ own, calls }: Call): number {
  return calls.reduce((sum, call) => sum + totalOf(call), own);
}

/** Calls of one function from the same place are one. */
function joined(calls: readonly Call[]): Call[] {
  const found = new Map<string, Call>();
  for (const call of calls) {
    const other = found.get(keyOf(call));
    found.set(
      keyOf(call),
      other ? { ...call, own: other.own + call.own, calls: [...other.calls, ...call.calls] } : call,
    );
  }
  return [...found.values()];
}

function cellsOf(root: Call, against: Call | null): Cell[] {
  const cells: Cell[] = [];
  const whole = totalOf(root);
  const place = (call: Call, before: Call | null, from: number, depth: number): void => {
    const total = totalOf(call);
    if (total < LEAST * whole || depth >= MOST_ROWS) return;
    cells.push({ call, from, total, depth, before: against ? (before ? totalOf(before) : 0) : null });
    const earlier = new Map(joined(before?.calls ?? []).map((one) => [keyOf(one), one]));
    let at = from;
    for (const one of joined(call.calls).sort((a, b) => totalOf(b) - totalOf(a))) {
      place(one, earlier.get(keyOf(one)) ?? null, at, depth + 1);
      at += totalOf(one);
    }
  };
  place(root, against, 0, 0);
  return cells;
}

export function drawFlame({ root, against, unit, ...text }: FlameChart): string {
  const cells = cellsOf(root, against);
  const whole = totalOf(root);
  const rows = Math.max(1, ...cells.map(({ depth }) => depth + 1));
  const most = Math.max(...cells.map(({ total, before }) => Math.abs(total - (before ?? total))));
  return figure(
    text,
    [
      {
        x: { label: unit, domain: [0, whole], fit: "exact", isGridless: true },
        y: { isBare: true, domain: [0.5 - rows, 0.5], fit: "exact" },
        marks: cells.map((cell) => cellMark(cell, { whole, most, unit })),
      },
    ],
    { height: rows * ROW },
  );
}

function cellMark(
  { call: { name, where }, from, total, before, depth }: Cell,
  { whole, most, unit }: { whole: number; most: number; unit: string },
): Mark {
  const change = before === null ? 0 : total - before;
  const share = most > 0 ? Math.abs(change) / most : 0;
  const paint =
    before === null
      ? { fill: lookOf(0).colour, "fill-opacity": 0.18 + 0.34 * tint(name) }
      : {
          fill: change > 0 ? VERDICTS.worse : change < 0 ? VERDICTS.better : MUTED,
          "fill-opacity": 0.1 + 0.6 * share,
        };
  const took = `${numberText(total)} ${unit}, ${percentText(total / whole)}`;
  const beside =
    before === null
      ? ""
      : `\n${change > 0 ? "+" : ""}${numberText(change)} ${unit}; before ${numberText(before)}`;
  return group(
    { class: "call", tip: `${name}\n${where ? `${where}\n` : ""}${took}${beside}` },
    bar([from, from + total], -depth, { height: ROW - 2, rx: 2, ...paint }),
    ...(total / whole > 0.03
      ? [
          label(
            name,
            [from, -depth],
            { dx: 5, fill: INK },
            { room: (box) => (box.width * total) / whole - 8 },
          ),
        ]
      : []),
  );
}

/** The same for the same name, between 0 and 1, so that neighbours can be told apart. */
function tint(name: string): number {
  let hash = 7;
  for (const letter of name) hash = (31 * hash + letter.codePointAt(0)!) % 101;
  return hash / 100;
}

/** The functions that took time before and are no more, the longest first. */
function goneFrom(root: Call, against: Call): { name: string; total: number }[] {
  const own = (call: Call, into = new Map<string, number>()): Map<string, number> => {
    into.set(call.name, (into.get(call.name) ?? 0) + call.own);
    for (const one of call.calls) own(one, into);
    return into;
  };
  const now = own(root);
  return [...own(against)]
    .filter(([name, total]) => total > 0 && !now.has(name))
    .map(([name, total]) => ({ name, total }))
    .sort((a, b) => b.total - a.total);
}
