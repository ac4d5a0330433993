import { expect, test } from "vitest";
import { guardTerminal, styleFor, table } from "../../src/cli/terminal.ts";

function written(text: string, isTTY: boolean): string {
  const chunks: string[] = [];
  const stream = {
    isTTY,
    write(chunk: string | Uint8Array) {
      chunks.push(String(chunk));
      return true;
    },
  };
  guardTerminal(stream);
  stream.write(text);
  return chunks.join("");
}

test.each([
  ["clearing the screen", "\x1b[2;1Hx\x1b[?1049h"],
  ["setting the title", "\x1b]0;title\x07"],
  ["writing to the clipboard", "\x1b]52;c;YQ==\x07"],
  ["an 8-bit sequence", "\x9b2J"],
  ["turning what follows around", "a\u202eb\u2066c\u200f"],
])("a name never steers a terminal: %s", (_, name) => {
  const shown = written(`study ${name} ended\n`, true);
  expect(shown).toMatch(/^study [^\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]* ended\n$/);
});

test("Assay's own colours and lines drawn anew stay, and what goes to a file is left alone", () => {
  const own = "\r\x1b[K\x1b[1mbold\x1b[0m \x1b[31mred\x1b[0m\tand\n\x1b[H\x1b[2J\x1b[3J";
  expect(written(own, true)).toBe(own);
  expect(written("raw \x1b]0;x\x07", false)).toBe("raw \x1b]0;x\x07");
  expect(styleFor(process.stdout).bold("x")).toContain("x");
});

test("a cell of a table stays on its line", () => {
  expect(table(["name"], [["a\nb\tc"]]).split("\n")).toHaveLength(3);
});

test("a table that is too wide for its terminal has a block per row instead", () => {
  const header = ["arm", "mean", "adjusted p"];
  const rows = [
    ["big", "0.6952", ""],
    ["small", "0.6291", ".0004"],
  ];
  expect(table(header, rows, 26)).toBe(
    "arm      mean  adjusted p\n-----  ------  ----------\nbig    0.6952\nsmall  0.6291       .0004",
  );
  expect(table(header, rows, 20)).toBe(
    "arm         big\nmean        0.6952\n\narm         small\nmean        0.6291\nadjusted p  .0004",
  );
});
