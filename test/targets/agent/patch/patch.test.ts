import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyPatch } from "../../../../src/targets/agent/patch/apply-patch.ts";
import { makePatch } from "../../../../src/targets/agent/patch/make-patch.ts";

const line = fc.constantFrom("a", "b", "c", "", "--- a/x", "+++ b/y", "@@ -1 +1 @@", "\\ No newline");
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
  .map(([lines, isOpen]) => (lines.length === 0 ? "" : lines.join("\n") + (isOpen ? "" : "\n")));
const path = fc.constantFrom("a.js", "src/b.js", 'odd "name"\t.js', "with space.md");
const tree = fc.dictionary(path, text).map((files) => new Map(Object.entries(files)));

describe("a patch", () => {
  test("applied to what it was made from gives what it was made for", () => {
    fc.assert(
      fc.property(tree, tree, (before, after) => {
        const patched = applyPatch(before, makePatch(before, after));
        expect(new Map([...patched].sort())).toEqual(new Map([...after].sort()));
      }),
    );
  });

  test("is empty where nothing changed", () => {
    const files = new Map([["a.js", "one\n"]]);
    expect(makePatch(files, new Map(files))).toBe("");
  });

  test("has three lines of context around a change", () => {
    const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    const patch = makePatch(new Map([["n", before]]), new Map([["n", before.replace("5", "five")]]));
    expect(patch).toBe("--- a/n\n+++ b/n\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
  });

  test("that does not fit is refused", () => {
    const patch = makePatch(new Map([["n", "one\n"]]), new Map([["n", "two\n"]]));
    expect(() => applyPatch(new Map([["n", "other\n"]]), patch)).toThrow("does not fit n at line 1");
    expect(() => applyPatch(new Map(), patch)).toThrow("which is not there");
  });
});
