import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { drawChart } from "../../src/plots/draw-chart.ts";
import type { ChartView } from "../../src/reporters/study-view.ts";
import { saveFile } from "../parts/save-file.ts";
import { findMark, readLine } from "./find-mark.ts";
import { markTip } from "./mark-tip.ts";
import { useBrush } from "./use-brush.ts";

interface Tip {
  text: string;
  x: number;
  y: number;
}

interface ChartFigureProps {
  chart: ChartView;
  enlargeHref?: string;
  /** Whether what it shows can be chosen, and whether the reader is choosing. */
  choosing?: { isOn: boolean; toggle: () => void };
  /** Above the drawing. */
  children?: ComponentChildren;
  /** A click on a run's dot. */
  onOpen?: (run: string) => void;
  /** The runs whose dots the pointer was dragged over. */
  onBrush?: (runs: string[]) => void;
}

/** A chart with what a file can't have: values under the pointer, a legend that hides arms, its SVG to take away. */
export function ChartFigure({ chart, enlargeHref, choosing, children, onOpen, onBrush }: ChartFigureProps) {
  const drawn = useMemo(() => draw(chart, "page"), [chart]);
  const canvas = useRef<HTMLDivElement>(null);
  const hidden = useRef(new Set<string>());
  const [tip, setTip] = useState<Tip | null>(null);
  const svg = "svg" in drawn ? drawn.svg : "";

  useEffect(() => {
    const root = canvas.current?.querySelector("svg");
    if (!root) return;
    addLegendToggles(root, hidden.current);
    // On a narrow screen the drawing scrolls, and what scrolls must be reachable by keyboard.
    const frame = root.parentElement!;
    const isCut = frame.scrollWidth > frame.clientWidth;
    canvas.current!.classList.toggle("cut", isCut);
    if (isCut) {
      frame.tabIndex = 0;
      frame.setAttribute("role", "group");
      frame.setAttribute("aria-label", chart.title);
    }
  }, [svg, chart.title]);

  const point = (event: MouseEvent) => {
    const root = canvas.current?.querySelector("svg");
    const mark = root ? findMark(root, event) : null;
    const line = mark && readLine(root!, mark, event);
    const text = mark && (mark.getAttribute("data-tip") ?? (line && markTip(chart, line)));
    const frame = canvas.current!.getBoundingClientRect();
    setTip(text ? { text, x: event.clientX - frame.left, y: event.clientY - frame.top } : null);
  };

  const { box, ...drag } = useBrush(canvas, onBrush);
  const open = (event: MouseEvent) => {
    const root = canvas.current?.querySelector("svg");
    const run = root && box === null && findMark(root, event)?.getAttribute("data-run");
    if (run) onOpen?.(run);
  };

  return (
    <figure class="chart" id={`chart-${chart.id}`}>
      <div class="tools">
        {enlargeHref && (
          <a class="tool" href={enlargeHref} title="Enlarge">
            <span aria-hidden="true">⤢</span>
            <span class="unseen">Enlarge: {chart.title}</span>
          </a>
        )}
        {choosing && (
          <button
            type="button"
            class="tool"
            aria-pressed={choosing.isOn}
            aria-label={`Choose metric, axes and colours: ${chart.title}`}
            title="Choose metric, axes and colours"
            onClick={choosing.toggle}
          >
            <span aria-hidden="true">◫</span>
          </button>
        )}
        {svg && (
          <button
            type="button"
            class="tool"
            aria-label={`Download as SVG: ${chart.title}`}
            title="Download SVG"
            onClick={() => {
              const file = draw(chart, "file");
              if ("svg" in file) saveFile(`${chart.id}.svg`, file.svg, "image/svg+xml");
            }}
          >
            <span aria-hidden="true">↓</span>
          </button>
        )}
      </div>
      {children}
      {"problem" in drawn ? (
        <p class="empty">
          <strong>{chart.title}</strong> {drawn.problem}
        </p>
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: what the pointer shows and does also stands in the tables
        // biome-ignore lint/a11y/useKeyWithClickEvents: the table of runs leads to every run by keyboard
        <div
          class={onBrush ? "canvas brushed" : "canvas"}
          ref={canvas}
          onMouseMove={point}
          onMouseLeave={() => setTip(null)}
          onClick={open}
          {...(onBrush && drag)}
        >
          <Drawing svg={svg} />
          {box && <div class="brush" style={box} />}
          {tip && <TipBox tip={tip} width={canvas.current?.clientWidth ?? 0} />}
        </div>
      )}
    </figure>
  );
}

/** Text in these strings is escaped where they are made (src/plots); nothing else becomes HTML in this page. */
function Drawing({ svg }: { svg: string }) {
  return useMemo(() => <div class="drawing" dangerouslySetInnerHTML={{ __html: svg }} />, [svg]);
}

function TipBox({ tip, width }: { tip: Tip; width: number }) {
  const isRight = tip.x > width / 2;
  const place = isRight ? { right: `${width - tip.x + 14}px` } : { left: `${tip.x + 14}px` };
  return (
    <div class="tip" role="presentation" style={{ ...place, top: `${tip.y + 10}px` }}>
      {tip.text.split("\n").map((line, i) => (i === 0 ? <strong>{line}</strong> : <div>{line}</div>))}
    </div>
  );
}

/** The chart as SVG, or why there is none: one that can't be drawn takes nothing else with it. */
function draw(chart: ChartView, look: "page" | "file"): { svg: string } | { problem: string } {
  try {
    return { svg: drawChart(chart, { look }) };
  } catch (problem) {
    return { problem: `This chart can't be drawn: ${(problem as Error).message}` };
  }
}

const SVG = "http://www.w3.org/2000/svg";

/** Makes a chart's legend a row of switches that hide and show series. `hidden` holds the names that are off. */
function addLegendToggles(svg: SVGSVGElement, hidden: Set<string>): void {
  const entries = [...svg.querySelectorAll<SVGGElement>(".legend .entry[data-series]")];
  const marks = [...svg.querySelectorAll("[data-series]")].filter((mark) => !mark.closest(".legend"));
  if (entries.length < 2 || marks.length === 0) return;
  // An image's parts can't be reached; a group's can.
  svg.setAttribute("role", "group");
  for (const button of entries) {
    const name = button.dataset.series!;
    button.classList.add("switch");
    button.setAttribute("role", "button");
    button.setAttribute("tabindex", "0");
    button.setAttribute("aria-label", `show ${name}`);
    button.prepend(hitArea(button));
    const show = () => {
      const isHidden = hidden.has(name);
      button.setAttribute("aria-pressed", String(!isHidden));
      for (const mark of marks)
        if (mark.getAttribute("data-series") === name) mark.toggleAttribute("data-hidden", isHidden);
    };
    const toggle = () => {
      if (!hidden.delete(name)) hidden.add(name);
      show();
    };
    button.addEventListener("click", toggle);
    button.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      toggle();
    });
    show();
  }
}

/** Between the line and the name there is nothing to click on otherwise. */
function hitArea(entry: SVGGElement): Element {
  const area = document.createElementNS(SVG, "rect");
  const { x, y, width, height } = entry.getBBox();
  const numbers = { x: x - 5, y: y - 4, width: width + 10, height: height + 8, rx: 4 };
  for (const [name, value] of Object.entries(numbers)) area.setAttribute(name, String(value));
  area.setAttribute("class", "hit");
  return area;
}
