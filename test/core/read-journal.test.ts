import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JournalReader } from "../../src/core/read-journal.ts";
import { aRecord } from "../support/a-study.ts";

const encoder = new TextEncoder();
const line = (id: string, more = {}) => `${JSON.stringify(aRecord({ id, ...more }))}\n`;

function read(bytes: Uint8Array, cuts: number[] = []) {
  const seen: { id: string; offset: number; length: number }[] = [];
  const reader = new JournalReader(({ id }, offset, length) => seen.push({ id, offset, length }));
  const points = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])];
  points.sort((a, b) => a - b);
  for (let i = 1; i < points.length; i++) reader.push(bytes.subarray(points[i - 1], points[i]));
  const contents = reader.end();
  return { seen, ids: seen.map(({ id }) => id), ...contents };
}

describe("a journal", () => {
  const lines = fc.array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.string({ unit: "grapheme" }).map((id) => line(id, { labels: { note: id } })),
      },
      fc.constantFrom(
        "\n",
        "garbage\n",
        '{"id":"x"\n',
        "\0\0\0\n",
        "[1]\n",
        '{"id":1}\n',
        '{"id":"x","outcome":{}}\n',
      ),
    ),
  );

  test("gives the same records in whatever chunks it arrives", () => {
    fc.assert(
      fc.property(lines, fc.array(fc.nat()), fc.constantFrom("", '{"id":"torn'), (all, cuts, tail) => {
        const bytes = encoder.encode(all.join("") + tail);
        expect(read(bytes, cuts)).toEqual(read(bytes));
      }),
    );
  });

  test("gives every whole record with its place, and counts the lines that are none", () => {
    fc.assert(
      fc.property(lines, (all) => {
        const bytes = encoder.encode(all.join(""));
        const { seen, brokenLines, goodBytes } = read(bytes);
        const good = all.filter((text) => text.includes('"labels"'));
        expect(seen.map(({ id }) => id)).toEqual(good.map((text) => JSON.parse(text).id));
        expect(brokenLines).toBe(all.length - good.length - all.filter((text) => text === "\n").length);
        expect(goodBytes).toBe(bytes.length);
        for (const { id, offset, length } of seen) {
          const text = new TextDecoder().decode(bytes.subarray(offset, offset + length));
          expect(JSON.parse(text).id).toBe(id);
        }
      }),
    );
  });

  test("that is cut at any byte of its last record keeps all before it, and says where to go on", () => {
    const first = encoder.encode(line("first"));
    const whole = encoder.encode(line("first") + line("läst", { labels: { note: "}{\\n" } }));
    for (let cut = first.length; cut < whole.length - 1; cut++) {
      expect(read(whole.subarray(0, cut))).toMatchObject({
        ids: ["first"],
        goodBytes: first.length,
        brokenLines: 0,
        needsNewline: false,
      });
    }
    expect(read(whole.subarray(0, whole.length - 1))).toMatchObject({
      ids: ["first", "läst"],
      goodBytes: whole.length - 1,
      needsNewline: true,
    });
  });

  test("passes over glued records and counts them once", () => {
    const glued = line("torn").slice(0, 40) + line("glued");
    expect(read(encoder.encode(line("a") + glued + line("b")))).toMatchObject({
      ids: ["a", "b"],
      brokenLines: 1,
    });
  });

  test("that is empty has nothing", () => {
    expect(read(new Uint8Array())).toEqual({
      seen: [],
      ids: [],
      goodBytes: 0,
      brokenLines: 0,
      needsNewline: false,
    });
  });
});
