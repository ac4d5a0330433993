import { expect, test } from "vitest";
import { classOf, describeClass, lackOf, readClass } from "../../src/fleet/needs.ts";
import { safePath } from "../../src/fleet/safe-path.ts";

const has = { cores: 4, memoryMb: 8000, labels: ["gpu", "big"], onlyShipped: false, protocol: 4 };

test.each([
  [{}, undefined],
  [{ cores: 4, memoryMb: 8000, labels: ["gpu"], ownCode: true }, undefined],
  [{ cores: 5 }, "5 cores (it has 4)"],
  [{ memoryMb: 9000 }, "9000 MB of memory (it has 8000)"],
  [{ labels: ["gpu", "tpu", "arm"] }, "the labels tpu, arm"],
  [{ protocol: 4 }, undefined],
  [{ protocol: 5 }, "protocol 5 of the fleet (it speaks 4): update it"],
])("of %j, a worker lacks %j", (needs, lack) => {
  expect(lackOf(needs, has)).toBe(lack);
});

test("a worker for shipped targets lacks the leave to run others", () => {
  expect(lackOf({ ownCode: true }, { ...has, onlyShipped: true })).toContain("--only-shipped");
});

test("equal needs share a queue, in whatever order they are written", () => {
  expect(classOf({ labels: ["a", "b"], cores: 1 })).toBe(classOf({ cores: 1, labels: ["b", "a", "a"] }));
  expect(classOf({})).not.toBe(classOf({ ownCode: true }));
  expect(classOf({})).not.toContain(":");
});

test.each(["/etc/passwd", "../up", "a/../../up", "", ".", "a//b", "a\0b", 7, undefined])(
  "the path %j is refused",
  (path) => {
    expect(() => safePath("/dir", path)).toThrow(expect.objectContaining({ why: "path" }));
  },
);

test("a path below a folder stays as it is", () => {
  expect(safePath("/dir", "a/..b/c.txt")).toBe("/dir/a/..b/c.txt");
});

test("a queue of a later protocol asks for a label that workers of 0.2.0 can't have", () => {
  const needs = { labels: ["gpu"], protocol: 4 };
  const said = describeClass(needs, 0);
  const readBefore = JSON.parse(said) as { labels: string[] };
  expect(lackOf({ labels: readBefore.labels }, has)).toBe("the label assay-protocol-4");
  expect(readClass(said, 0).needs).toEqual(needs);
  expect(classOf(needs)).not.toBe(classOf({ labels: ["gpu"] }));
});

test("a queue that no study has used for a week is forgotten, one in use is not", () => {
  const dayMs = 24 * 3600_000;
  const said = describeClass({ cores: 4, ownCode: true }, 100 * dayMs);
  expect(readClass(said, 106 * dayMs)).toEqual({ needs: { cores: 4, ownCode: true }, isForgotten: false });
  expect(readClass(said, 108 * dayMs).isForgotten).toBe(true);
});
