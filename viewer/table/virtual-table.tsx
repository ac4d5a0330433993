import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { SortKey } from "./sort-rows.ts";

const ROW_PX = 33;
/** Rows beyond the edge, so that a quick scroll shows no gap. */
const SPARE = 12;
const LEAST_PX = 380;
/** The header, the borders and a scroll bar below. */
const HEAD_PX = 54;

export interface HeadCell {
  name: string;
  label: string;
  unit?: string | null;
  widthPx: number;
  isNumber: boolean;
  /** Where its values are drawn. */
  chartHref?: string;
}

interface VirtualTableProps {
  label: string;
  head: readonly HeadCell[];
  count: number;
  sort: readonly SortKey[];
  onSort: (column: string, adds: boolean) => void;
  /** The cells of a row, in the head's order. The first holds the link that the arrow keys walk along. */
  cells: (place: number) => ComponentChildren[];
  rowKey: (place: number) => string | number;
  onOpen?: (place: number) => void;
}

/** A table of any length: only the rows in sight exist, and a screen reader still hears how many there are. */
export function VirtualTable(props: VirtualTableProps) {
  const { label, head, count, sort } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [room, setRoom] = useState(720);
  /** The row that the arrow keys ask for: it gets the focus once it is drawn. */
  const wanted = useRef<number | null>(null);
  const [, setSteps] = useState(0);

  useLayoutEffect(() => {
    const measure = () => {
      const above = frame.current!.getBoundingClientRect().top + scrollY;
      setRoom(Math.max(LEAST_PX, innerHeight - above - 22));
    };
    const watch = new ResizeObserver(measure);
    watch.observe(document.body);
    addEventListener("resize", measure);
    return () => {
      watch.disconnect();
      removeEventListener("resize", measure);
    };
  }, []);
  useEffect(() => {
    const row = wanted.current;
    if (row === null) return;
    const link = frame.current?.querySelector<HTMLElement>(`tr[data-place="${row}"] a`);
    if (!link) return;
    wanted.current = null;
    link.focus({ preventScroll: true });
  });

  const height = Math.min(room, count * ROW_PX + HEAD_PX);
  const first = Math.max(0, Math.min(Math.floor(top / ROW_PX), count - 1) - SPARE);
  const last = Math.min(count, Math.ceil((top + height) / ROW_PX) + SPARE);
  const places = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i);

  const walk = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const here = (document.activeElement?.closest("tr[data-place]") as HTMLElement | null)?.dataset.place;
    if (here === undefined && event.key !== "ArrowDown" && event.key !== "j" && event.key !== "k") return;
    event.preventDefault();
    const page = Math.max(1, Math.floor(height / ROW_PX) - 2);
    const from = wanted.current ?? (here === undefined ? Math.floor(top / ROW_PX) - 1 : Number(here));
    const to = Math.max(0, Math.min(count - 1, from + (Math.abs(step) === 2 ? (step / 2) * page : step)));
    wanted.current = to;
    const box = frame.current!;
    const [above, below] = [to * ROW_PX, (to + 2) * ROW_PX - box.clientHeight + ROW_PX / 2];
    if (box.scrollTop > above) box.scrollTop = above;
    else if (box.scrollTop < below) box.scrollTop = below;
    setTop(box.scrollTop);
    setSteps((steps) => steps + 1);
  };

  // j and k work from anywhere on the page but a field; the arrows scroll it until a row has the focus.
  const fromAnywhere = useRef(walk);
  fromAnywhere.current = walk;
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const isHeard = (event.target as Element).closest?.("input, select, textarea, dialog, .virtual");
      if (!isHeard && (event.key === "j" || event.key === "k")) fromAnywhere.current(event);
    };
    addEventListener("keydown", hear);
    return () => removeEventListener("keydown", hear);
  }, []);

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div
      class="virtual"
      style={{ height: `${height}px` }}
      ref={frame}
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={`${label}: scroll, or walk with the arrow keys`}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={walk}
    >
      <table aria-label={label} aria-rowcount={count + 1}>
        <colgroup>
          {head.map(({ name, widthPx }) => (
            <col key={name} style={{ width: `${widthPx}px` }} />
          ))}
          <col />
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {head.map((cell) => (
              <Header key={cell.name} cell={cell} sort={sort} onSort={props.onSort} />
            ))}
            <td class="rest" />
          </tr>
        </thead>
        <tbody>
          {first > 0 && <Spacer rows={first} width={head.length + 1} />}
          {places.map((place) => (
            <tr
              key={props.rowKey(place)}
              data-place={place}
              aria-rowindex={place + 2}
              class={place % 2 === 1 ? "odd" : undefined}
              onClick={(event) => {
                const isControl = (event.target as Element).closest("a, input, label, button");
                if (!isControl && getSelection()?.isCollapsed !== false) props.onOpen?.(place);
              }}
            >
              {props.cells(place).map((cell, i) => (
                <td class={head[i]!.isNumber ? "number" : undefined}>{cell}</td>
              ))}
              <td class="rest" />
            </tr>
          ))}
          {last < count && <Spacer rows={count - last} width={head.length + 1} />}
        </tbody>
      </table>
    </div>
  );
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: 2, PageUp: -2 };

function Spacer({ rows, width }: { rows: number; width: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without content can't get the focus
    <tr aria-hidden="true" class="spacer">
      <td colSpan={width} style={{ height: `${rows * ROW_PX}px` }} />
    </tr>
  );
}

interface HeaderProps {
  cell: HeadCell;
  sort: readonly SortKey[];
  onSort: (column: string, adds: boolean) => void;
}

function Header({ cell, sort, onSort }: HeaderProps) {
  const key = sort.find(({ column }) => column === cell.name);
  const order = key ? (key.isDescending ? "descending" : "ascending") : "none";
  const rank = key && sort.length > 1 ? sort.indexOf(key) + 1 : "";
  return (
    <th scope="col" aria-sort={order} class={cell.isNumber ? "number" : undefined}>
      <button
        type="button"
        title={`Sort by ${cell.label}; with Shift, within the current order`}
        onClick={(event) => onSort(cell.name, event.shiftKey)}
      >
        <span class="name">{cell.label}</span>
        {cell.unit && <span class="unit">{cell.unit}</span>}
        <span class="arrow" aria-hidden="true">
          {key ? `${key.isDescending ? "↓" : "↑"}${rank}` : ""}
        </span>
      </button>
      {cell.chartHref && (
        <a class="chart-link" href={cell.chartHref} title={`Chart of ${cell.label}`}>
          <span aria-hidden="true">◫</span>
          <span class="unseen">Chart of {cell.label}</span>
        </a>
      )}
    </th>
  );
}
