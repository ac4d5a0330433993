import { useMemo } from "preact/hooks";
import type { Column, RunStore } from "../table/run-store.ts";
import { type Choice, choices } from "./explore-chart.ts";

/** What a chooser changes: the keys of a choice as the address has them. */
export type Chosen = Partial<Record<"y" | "x" | "colour" | "facet" | "log", string>>;

interface ChartChooserProps {
  store: RunStore;
  choice: Choice;
  onChange: (chosen: Chosen) => void;
}

/** Which metric a chart shows, over what, in which colours and panels. */
export function ChartChooser({ store, choice, onChange }: ChartChooserProps) {
  const offered = useMemo(() => choices(store), [store, store.count, store.columns.length]);
  return (
    <div class="toolbar chooser">
      <Chooser
        label="Metric"
        value={choice.metric}
        columns={offered.metrics}
        onChange={(name) => onChange({ y: name })}
      />
      <Chooser
        label="Along"
        value={choice.along === "" ? "share" : choice.along}
        columns={offered.along.filter(({ name }) => name !== choice.metric)}
        none={["share", "share of runs (ECDF)"]}
        onChange={(name) => onChange({ x: name })}
      />
      <Chooser
        label="Colour"
        value={choice.colour || "none"}
        columns={offered.groups}
        none={["none", "none"]}
        onChange={(name) => onChange({ colour: name })}
      />
      <Chooser
        label="Facets"
        value={choice.facet}
        columns={offered.groups}
        none={["", "none"]}
        onChange={(name) => onChange({ facet: name })}
      />
      {(["x", "y"] as const).map((axis) => (
        <label key={axis} class="field">
          <input
            type="checkbox"
            checked={choice.log.includes(axis)}
            onChange={() => onChange({ log: toggled(choice.log, axis) })}
          />
          log {axis}
        </label>
      ))}
    </div>
  );
}

function toggled(log: Choice["log"], axis: "x" | "y"): string {
  return log.includes(axis)
    ? log.replace(axis, "")
    : ["x", "y"].filter((one) => one === axis || log.includes(one)).join("");
}

interface ChooserProps {
  label: string;
  value: string;
  columns: readonly Column[];
  none?: readonly [value: string, text: string];
  onChange: (name: string) => void;
}

function Chooser({ label, value, columns, none, onChange }: ChooserProps) {
  return (
    <label class="field">
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {none && <option value={none[0]}>{none[1]}</option>}
        {columns.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
