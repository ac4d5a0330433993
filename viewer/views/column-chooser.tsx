import { useEffect, useRef, useState } from "preact/hooks";
import type { Column, RunStore } from "../table/run-store.ts";

interface ColumnChooserProps {
  store: RunStore;
  shown: readonly string[];
  onChange: (names: string[]) => void;
}

const SETS: { title: string; roles: Column["role"][] }[] = [
  { title: "What varies", roles: ["param", "variant", "seed", "task", "repeat"] },
  { title: "How it ended", roles: ["status", "owner", "reason"] },
  { title: "Measured", roles: ["metric", "cost", "time", "started"] },
];

/** Which columns the table shows. */
export function ColumnChooser({ store, shown, onChange }: ColumnChooserProps) {
  const box = useRef<HTMLDetailsElement>(null);
  const [word, setWord] = useState("");
  useEffect(() => {
    const close = (event: Event) => {
      const isOutside = event instanceof MouseEvent && !box.current?.contains(event.target as Node);
      const isEscape = event instanceof KeyboardEvent && event.key === "Escape";
      if (box.current?.open && (isOutside || isEscape)) box.current.open = false;
    };
    addEventListener("click", close);
    addEventListener("keydown", close);
    return () => {
      removeEventListener("click", close);
      removeEventListener("keydown", close);
    };
  }, []);
  const toggle = (name: string, isOn: boolean) =>
    onChange(isOn ? [...shown, name] : shown.filter((other) => other !== name));
  return (
    <details class="menu" ref={box}>
      <summary class="button">Columns</summary>
      <div class="panel">
        {store.columns.length > 16 && (
          <input
            type="search"
            class="search"
            aria-label="Find a column"
            placeholder="Find a column"
            value={word}
            onInput={(event) => setWord(event.currentTarget.value)}
          />
        )}
        {SETS.map(({ title, roles }) => {
          const columns = store.columns.filter(
            ({ role, name }) => roles.includes(role) && name.toLowerCase().includes(word.toLowerCase()),
          );
          if (columns.length === 0) return null;
          return (
            <fieldset key={title}>
              <legend>{title}</legend>
              {columns.map(({ name, unit }) => (
                <label key={name}>
                  <input
                    type="checkbox"
                    checked={shown.includes(name)}
                    onChange={(event) => toggle(name, event.currentTarget.checked)}
                  />
                  {name} {unit && <span class="unit">{unit}</span>}
                </label>
              ))}
            </fieldset>
          );
        })}
        <p class="menu-end">
          <button type="button" class="link" onClick={() => onChange(store.columns.map(({ name }) => name))}>
            All
          </button>
          <button type="button" class="link" onClick={() => onChange([])}>
            As at first
          </button>
        </p>
      </div>
    </details>
  );
}
