import { useState } from "preact/hooks";
import { countText } from "../../src/core/number-text.ts";
import { NameText } from "./name-text.tsx";
import { Scrolled } from "./scrolled.tsx";

const NUMBER = /^[-+−]?\d[\d.,e%±()[\]\s+−-]*$|^(unknown|none|–|-|)$/;

/** A table that is much longer begins folded, so that what comes after it can be found. */
const FEW_ROWS = 10;
const MANY_ROWS = 25;

/** Texts no longer than this are not broken, and links no longer than that: they are names. */
const SHORT = 36;
const SHORT_LINK = 80;

interface PlainTableProps {
  label: string;
  header: readonly string[];
  rows: readonly (readonly string[])[];
  /** Where a cell leads to; undefined for plain text. */
  linkOf?: (row: number, column: number) => string | undefined;
}

/** A small table, ready to print; columns of numbers stand to the right. */
export function PlainTable({ label, header, rows, linkOf }: PlainTableProps) {
  const [isWhole, setWhole] = useState(false);
  const isFolded = rows.length > MANY_ROWS && !isWhole;
  const isNumber = header.map(
    (_, i) => rows.some((row) => /\d/.test(row[i] ?? "")) && rows.every((row) => isNumberText(row[i] ?? "")),
  );
  const isShort = header.map((_, i) =>
    rows.every((row, place) => (row[i] ?? "").length <= (linkOf?.(place, i) ? SHORT_LINK : SHORT)),
  );
  const kind = (i: number) => (isNumber[i] ? "number" : isShort[i] ? "short" : undefined);
  const table = (
    <Scrolled label={label}>
      <table class="plain">
        <thead>
          <tr>
            {header.map((name, i) => (
              <th key={name} scope="col" class={kind(i)}>
                <NameText text={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <tr class={isFolded && place >= FEW_ROWS ? "folded" : undefined}>
              {row.map((cell, i) => {
                const target = cell === "" ? undefined : linkOf?.(place, i);
                const text = cell === "" ? <span class="none">–</span> : cell;
                return <td class={kind(i)}>{target === undefined ? text : <a href={target}>{text}</a>}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
  if (rows.length <= MANY_ROWS) return table;
  return (
    <>
      {table}
      <p class="more">
        <button type="button" class="link" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? `Show the first ${FEW_ROWS}` : `Show all ${countText(rows.length)}`}
          <span class="unseen">: {label}</span>
        </button>
      </p>
    </>
  );
}

/** A version, 0.1.0, is a name made of digits. */
function isNumberText(text: string): boolean {
  return NUMBER.test(text) && !/\d\.\d+\.\d/.test(text);
}
