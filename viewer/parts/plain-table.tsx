import { Scrolled } from "./scrolled.tsx";

const NUMBER = /^[-+−]?\d[\d.,e%±()[\]\s+−-]*$|^(unknown|none|–|-|)$/;

/** Texts no longer than this are not broken. */
const SHORT = 36;

interface PlainTableProps {
  label: string;
  header: readonly string[];
  rows: readonly (readonly string[])[];
  /** Where a cell leads to; undefined for plain text. */
  linkOf?: (row: number, column: number) => string | undefined;
}

/** A small table, ready to print; columns of numbers stand to the right. */
export function PlainTable({ label, header, rows, linkOf }: PlainTableProps) {
  const isNumber = header.map(
    (_, i) => rows.some((row) => /\d/.test(row[i] ?? "")) && rows.every((row) => isNumberText(row[i] ?? "")),
  );
  const isShort = header.map((_, i) => rows.every((row) => (row[i] ?? "").length <= SHORT));
  const kind = (i: number) => (isNumber[i] ? "number" : isShort[i] ? "short" : undefined);
  return (
    <Scrolled label={label}>
      <table class="plain">
        <thead>
          <tr>
            {header.map((name, i) => (
              <th key={name} scope="col" class={kind(i)}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <tr>
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
}

/** A version, 0.1.0, is a name made of digits. */
function isNumberText(text: string): boolean {
  return NUMBER.test(text) && !/\d\.\d+\.\d/.test(text);
}
