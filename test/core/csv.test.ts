import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvCell, parseCsv, spreadsheetCell } from "../../src/core/escape.ts";

const write = (rows: unknown[][], newline = "\n") =>
  rows.map((row) => row.map(csvCell).join(",")).join(newline) + newline;

/** Text that no spreadsheet would run. */
const harmless = fc
  .string({ unit: fc.constantFrom("a", "7", " ", ",", '"', "\n", "\r", "'", "é", "=") })
  .filter((text) => !/^[=+\-@\t\r]/.test(text));

describe("CSV", () => {
  test("comes back as it was written, whatever stands in the cells", () => {
    const table = fc.array(fc.tuple(harmless, harmless, harmless), { minLength: 1 });
    fc.assert(
      fc.property(table, fc.constantFrom("\n", "\r\n"), (rows, newline) => {
        const expected = rows.map(([a, b, c]) => ({ a, b, c }));
        expect(parseCsv(write([["a", "b", "c"], ...rows], newline))).toEqual(expected);
      }),
    );
  });

  test("needs no newline at its end, and may end in an empty cell", () => {
    expect(parseCsv("a,b\n1,2")).toEqual([{ a: "1", b: "2" }]);
    expect(parseCsv('a,b\n"1",')).toEqual([{ a: "1", b: "" }]);
    expect(parseCsv("")).toEqual([]);
  });

  test("pads a short row and passes over cells without a name", () => {
    expect(parseCsv("a,b\n1\n1,2,3\n")).toEqual([
      { a: "1", b: "" },
      { a: "1", b: "2" },
    ]);
  });

  test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])(
    "neutralises %j for spreadsheets, and leaves it as it is for programs",
    (text) => {
      expect(parseCsv(`a,b\n${csvCell(text)},"x"\n`)[0]!.a).toBe(text);
      const cell = spreadsheetCell(text);
      expect(cell.replace(/^"/, "")).toMatch(/^'/);
      expect(parseCsv(`a,b\n${cell},"x"\n`)[0]!.a).toBe(`'${text}`);
    },
  );

  test("leaves numbers as they are, also negative ones, and what is unknown empty", () => {
    expect([-1.5, 0, true, null, undefined].map(csvCell)).toEqual(["-1.5", "0", "true", "", ""]);
    expect(csvCell({ a: [1, "x"] })).toBe('"{""a"":[1,""x""]}"');
  });

  test("with a quote that is not closed says where", () => {
    expect(() => parseCsv('a,b\n1,"two\n')).toThrow("a quote is not closed near character 6");
  });

  test("takes a cell of many megabytes", () => {
    const long = `${"x".repeat(8_000_000)}"`;
    expect(parseCsv(`a,b\n${csvCell(long)},1\n`)[0]!.a).toHaveLength(long.length);
  });
});
