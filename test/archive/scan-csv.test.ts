import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { scanCsv } from "../../src/archive/scan-csv.ts";

const dir = mkdtempSync(join(tmpdir(), "assay-csv-"));
afterAll(() => rmSync(dir, { recursive: true }));

function scan(text: string): { columns: string[]; rows: string[][] } {
  const path = join(dir, "table.csv");
  writeFileSync(path, text);
  const seen = { columns: [] as string[], rows: [] as string[][] };
  scanCsv(path, (columns) => {
    seen.columns = columns;
    return (row) => seen.rows.push(columns.map((_, i) => row.text(i)));
  });
  return seen;
}

describe("rows of a CSV file", () => {
  test.each([
    ["commas", "a,b\n1,2\n3,4\n"],
    ["tabs", "a\tb\n1\t2\n3\t4\n"],
    ["semicolons", "a;b\n1;2\n3;4\n"],
    ["Windows' line ends", "a,b\r\n1,2\r\n3,4\r\n"],
    ["no newline at the end", "a,b\n1,2\n3,4"],
    ["a byte order mark", "\uFEFFa,b\n1,2\n3,4\n"],
    ["blank lines", "a,b\n\n1,2\n\n3,4\n\n"],
  ])("with %s", (_, text) => {
    expect(scan(text)).toEqual({
      columns: ["a", "b"],
      rows: [
        ["1", "2"],
        ["3", "4"],
      ],
    });
  });

  test("quoted cells hold commas, quotes and line ends", () => {
    expect(scan('a,b\n"x, ""y""\nz",2\n"",ü\n').rows).toEqual([
      ['x, "y"\nz', "2"],
      ["", "ü"],
    ]);
  });

  test("a short row has empty cells", () => {
    expect(scan("a,b,c\n1\n").rows).toEqual([["1", "", ""]]);
  });

  test("rows that lie across chunks are whole", () => {
    const long = "x".repeat(700_000);
    const { rows } = scan(`a,b\n${long},1\n"${long}\n",2\n${long},3\n`);
    expect(rows.map(([text, number]) => [text!.length, number])).toEqual([
      [700_000, "1"],
      [700_001, "2"],
      [700_000, "3"],
    ]);
  });

  test("an empty file, an absent one and an open quote are the user's mistakes", () => {
    expect(() => scan("")).toThrow(/is empty: expected a header/);
    expect(() => scanCsv(join(dir, "absent.csv"), () => () => {})).toThrow(/can't be read/);
    expect(() => scan('a,b\n"x,1\n')).toThrow(/a quote in row 1 is not closed/);
  });
});
