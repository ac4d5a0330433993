import { describe, expect, test } from "vitest";
import { guardTerminal, prose, styleFor, table } from "../../src/cli/terminal.ts";

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

describe("a table that is too wide for its terminal", () => {
  const header = ["metric", "arm", "n", "difference of the best", "p", "adjusted p"];
  const rows = [
    ["speed", "big (best)", "4", "", "", ""],
    ["speed", "small", "4", "+0.07", ".038", ".038"],
  ];

  test("breaks its headings", () => {
    expect(table(header, rows, 60).split("\n")).toEqual([
      "metric  arm         n  difference     p  adjusted",
      "                           of the               p",
      "                             best",
      "------  ----------  -  ----------  ----  --------",
      "speed   big (best)  4",
      "speed   small       4       +0.07  .038      .038",
    ]);
  });

  test("then says once what is the same in all rows, and in two columns", () => {
    expect(table(header, rows, 40).split("\n")).toEqual([
      "metric speed, n 4",
      "",
      "arm         difference        p,",
      "                of the  adjusted",
      "                  best         p",
      "----------  ----------  --------",
      "big (best)",
      "small            +0.07      .038",
    ]);
  });

  test("at last has a block per row", () => {
    expect(table(["arm", "mean"], [["big", "0.6952"]], 8)).toBe("arm   big\nmean  0.6952");
  });
});

test("a sentence breaks between words, and never within a command or a pattern", () => {
  const text = "  can't do: use --metric 'a: ([0-9.]+)', or `assay status my-study`, then";
  expect(prose(text, 30).split("\n")).toEqual([
    "  can't do: use --metric",
    "  'a: ([0-9.]+)', or",
    "  `assay status my-study`,",
    "  then",
  ]);
  expect(prose(text)).toBe(text);
});
