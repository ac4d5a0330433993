import { numberText, percentText } from "../core/number-text.ts";
import type { ArmCell, ArmsChart, Bar, BarsChart, ForestChart, Range, StackChart } from "./chart.ts";
import { figure } from "./figure.ts";
import {
  bar,
  dot,
  group,
  interval,
  label,
  labelWithin,
  type Mark,
  ring,
  rule,
  spread,
  whisker,
} from "./marks.ts";
import { textWidth } from "./text-width.ts";
import { HALO, INK, lookOf, MUTED, onFill, PAPER, SIZES, VERDICTS } from "./theme.ts";

const MUTED_TEXT = { fill: MUTED } as const;

/** `12 [10, 14]`. */
function rangeText(value: number, range: Range | null): string {
  return `${numberText(value)}${range ? ` [${numberText(range[0])}, ${numberText(range[1])}]` : ""}`;
}

const widestOf = (texts: readonly string[]) =>
  Math.max(0, ...texts.map((text) => textWidth(text, SIZES.tick)));

export function drawArms({ rows, panels, xLabel, isShared, ...text }: ArmsChart): string {
  const hasLetters = rows.some(({ letters }) => letters !== undefined);
  const details = (cells: (ArmCell | null)[]) => cells.map((cell) => (cell ? `n = ${cell.n}` : ""));
  const every = panels.flatMap(({ cells }) => cells);
  return figure(
    text,
    panels.map(({ title, cells }) => ({
      title: title === "" && hasLetters ? " " : title,
      x: { label: xLabel, fit: "air" },
      y: { names: rows.map(({ name }) => name), ...(panels.length === 1 && { details: details(cells) }) },
      marks: [
        ...cells.map((cell, row) =>
          cell
            ? armMark(cell, row, {
                ...rows[row]!,
                isFarRight: cell.mean > middleOf(isShared ? every : cells),
              })
            : label("no value", ["left", row], { dx: 6, ...MUTED_TEXT }),
        ),
        ...(hasLetters ? [label("group", ["right", "top"], { dx: 16, dy: -8, ...MUTED_TEXT })] : []),
        ...rows.map(({ letters = "" }, row) =>
          label(letters, ["right", row], {
            class: "letters",
            dx: 22,
            "font-size": 13,
            "font-weight": "bold",
          }),
        ),
      ],
    })),
    {
      ...{ height: rows.length * (panels.length === 1 ? 44 : 40), isJoined: true },
      ...{ sharedX: isShared, beside: hasLetters ? 52 : 0 },
    },
  );
}

/** Half-way along what is drawn. */
function middleOf(cells: readonly (ArmCell | null)[]): number {
  const all = cells.flatMap((cell) => (cell ? [cell.mean, ...cell.values, ...(cell.interval ?? [])] : []));
  return (all.reduce((a, b) => Math.min(a, b)) + all.reduce((a, b) => Math.max(a, b))) / 2;
}

type ArmRow = ArmsChart["rows"][number] & { isFarRight: boolean };

function armMark(cell: ArmCell, row: number, { name, colour: slot, isFarRight }: ArmRow): Mark {
  const { colour } = lookOf(slot);
  const { values, mean, interval: range, n, remark } = cell;
  const tip = `${name}\nmean ${rangeText(mean, range)}${range === null && remark ? `, ${remark}` : ""}, n = ${n}`;
  return group(
    { class: "arm", series: name },
    ...values.map((value, k) =>
      dot(value, row, {
        ...{ class: "value", dy: 6 + spread(k) * 8, r: 2.6, fill: colour, "fill-opacity": 0.5 },
        tip: `${name}: ${numberText(value, 6)}`,
      }),
    ),
    ...(range ? [interval(range, row, colour, { dy: -6, "stroke-linecap": "round", tip })] : []),
    ...(!range && remark !== undefined
      ? [
          label(
            remark,
            [isFarRight ? "left" : "right", row],
            { dy: -12, "text-anchor": isFarRight ? "start" : "end", tip: remark, ...MUTED_TEXT, ...HALO },
            { room: (box) => box.width - 8 },
          ),
        ]
      : []),
    ring(mean, row, colour, { dy: -6, tip }),
  );
}

const BAR = 15;
const SPACE = 14;

export function drawBars({ rows, series, panels, xLabel, isShared, ...text }: BarsChart): string {
  const isMany = series.length > 1;
  const thick = isMany ? BAR : 20;
  // The bars of one arm are shades of its colour.
  const shade = (i: number) => (isMany ? 0.35 + (0.55 * i) / (series.length - 1) : 0.85);
  const all = panels.flatMap(({ bars }) => bars.flat()).filter((one) => one !== null);
  const barMark = (one: Bar | null, row: number, i: number): Mark => {
    const dy = (i + 0.5 - series.length / 2) * thick;
    if (!one) return label("unknown", [0, row], { dx: 5, dy: dy + 4, series: series[i], ...MUTED_TEXT });
    const { value, interval: range, n } = one;
    const { name, colour } = rows[row]!;
    const tip = `${name}, ${series[i]}: ${rangeText(value, range)}, n = ${n}`;
    const fill = { fill: lookOf(colour).colour, "fill-opacity": shade(i) };
    return group(
      { class: "bar", series: series[i], tip },
      bar([0, value], row, { height: thick - 2, dy, rx: 2, ...fill }),
      ...(range ? [whisker(range, row, { dy })] : []),
      label(numberText(value, 3), [Math.max(0, value, range?.[1] ?? 0), row], { dx: 6, dy: dy + 4 }),
    );
  };
  const names = rows.map(({ name }) => name);
  return figure(
    text,
    panels.map(({ title, bars }) => ({
      ...{ title, x: { label: xLabel, fit: "air" }, y: { names } },
      marks: bars.flatMap((row, r) => row.map((one, i) => barMark(one, r, i))),
    })),
    {
      ...{ height: rows.length * (thick * series.length + SPACE), isJoined: true, sharedX: isShared },
      beside: 8 + Math.max(16, widestOf(all.map(({ value }) => numberText(value, 3)))),
      legend: isMany ? series.map((name, i) => ({ name, look: GREY, isBox: true, opacity: shade(i) })) : [],
    },
  );
}

const GREY = { colour: INK, dash: undefined };

export function drawStack({ rows, series, panels, xLabel, isShare, isShared, ...text }: StackChart): string {
  const format = isShare ? percentText : (value: number) => numberText(value, 3);
  const total = (parts: readonly number[]) => parts.reduce((a, b) => a + b, 0);
  const rowMarks = (parts: readonly number[], row: number): Mark[] => {
    const pieces = parts.map((part, i): Mark => {
      const from = total(parts.slice(0, i));
      const range = [from, from + part] as const;
      const fill = { fill: lookOf(i).colour, stroke: PAPER, "stroke-width": 1 };
      return group(
        { series: series[i], tip: `${rows[row]}, ${series[i]}: ${format(part)}` },
        ...(part > 0 ? [bar(range, row, { class: "part", height: 22, ...fill })] : []),
        labelWithin(format(part), range, row, { fill: onFill(i) }),
      );
    });
    const sum = total(parts);
    return isShare ? pieces : [...pieces, label(format(sum), [sum, row], { dx: 6 })];
  };
  const totals = panels.flatMap(({ parts }) => parts.map((row) => format(total(row))));
  return figure(
    text,
    panels.map(({ title, parts }) => ({
      title,
      x: { label: xLabel, format, ...(isShare ? { domain: [0, 1], fit: "exact" } : { fit: "air" }) },
      y: { names: rows },
      marks: parts.flatMap(rowMarks),
    })),
    {
      ...{ height: rows.length * 36, isJoined: true, sharedX: isShared },
      beside: isShare ? 0 : 8 + widestOf(totals),
      legend: series.map((name, i) => ({ name, look: lookOf(i), isBox: true })),
    },
  );
}

export function drawForest({ rows, panels, xLabel, reference, isShared, ...rest }: ForestChart): string {
  const { isPercent, ...text } = rest;
  const texts = panels.flatMap(({ cells }) => cells.map((cell) => ("text" in cell ? cell.text : "")));
  const beside = 14 + widestOf(texts);
  const cellMark = (cell: ForestChart["panels"][number]["cells"][number], row: number): Mark => {
    if ("why" in cell)
      return label(
        `unknown: ${cell.why}`,
        ["left", row],
        { dx: 6, tip: cell.why, ...MUTED_TEXT, ...HALO },
        { room: (box) => box.width + beside - 8 },
      );
    const colour = VERDICTS[cell.verdict];
    const tip = `${rows[row]}: ${cell.text}`;
    return group(
      { class: "arm" },
      interval([cell.low, cell.high], row, colour, { "stroke-linecap": "round", tip }),
      ring(cell.value, row, colour, { tip }),
      label(cell.text, ["right", row], { dx: 10 }),
    );
  };
  return figure(
    text,
    panels.map(({ title, cells }) => ({
      title,
      x: {
        ...{ label: xLabel, fit: "air" },
        ...(isPercent && { format: (value: number) => `${numberText(value * 100, 3)} %` }),
      },
      y: { names: rows },
      marks: [rule({ x: reference }, { "stroke-width": 1.6 }), ...cells.map(cellMark)],
    })),
    { height: rows.length * 34, isJoined: true, sharedX: isShared, beside },
  );
}
