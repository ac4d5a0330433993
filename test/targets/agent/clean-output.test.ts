import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanOutput } from "../../../src/targets/agent/use-tool.ts";

const codes = fc.oneof(
  fc.integer({ min: 0, max: 0x2ff }),
  fc.constantFrom(0x1b, 0x5b, 0xd83d, 0xde42, 0x202e),
);
const anyText = fc.array(codes, { maxLength: 500 }).map((list) => String.fromCharCode(...list));

describe("a tool's output", () => {
  test("loses codes that a terminal would act on, and keeps its text", () => {
    const hostile = "\x1b[31mred\x1b[0m \x1b]0;title\x07\x1b[2J\x1b[1;1Hhome\x00\x08 a\u202eb\r\nend\x1bc";
    expect(cleanOutput(hostile, 1000)).toBe("red home ab\nend");
  });

  test("never holds control codes and never grows past its limit but for one line", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 20, max: 200 }), (text, most) => {
        const clean = cleanOutput(text, most);
        expect(clean).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
        expect(clean.length).toBeLessThanOrEqual(most + 40);
        // Half a character would come back as another one.
        expect(Buffer.from(clean).toString()).toBe(clean);
      }),
    );
  });

  test("of megabytes keeps the beginning and the end, and says how much is missing", () => {
    const clean = cleanOutput(`first ${"x".repeat(5_000_000)} last`, 100);
    expect(clean).toMatch(/^first x+\n\(\d+ characters omitted\)\nx+ last$/);
  });

  test("that is ordinary stays as it is", () => {
    expect(cleanOutput("a\tb\nc äöü 漢字 🙂\n", 100)).toBe("a\tb\nc äöü 漢字 🙂\n");
  });
});
