import "../../support/in-memory.ts";
import { lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openBase } from "../../../src/targets/coding/workspace/open-base.ts";
import { everythingIn, filesOf, folderTask } from "../../support/a-repository.ts";
import { TempFolder } from "../../support/temp-folder.ts";

const FILES = {
  "repo/a": "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n",
  "repo/b c": "no end",
  "repo/d/e": Uint8Array.from([0, 200, 10, 13, 10]),
  "repo/d/f": "",
  "repo/d/g/h": "\r\ncarriage\r\n",
  "repo/ü": "text\n",
};
const PATHS = [
  "a",
  "b c",
  "d",
  "d/e",
  "d/f",
  "d/g",
  "d/g/h",
  "ü",
  "new",
  "new/x",
  "new/y z",
  'q"\\\n',
  "d/e/deep",
];

const content = fc.oneof(
  fc.constantFrom("", "\n", "one\ntwo\nthree\n4\nfive\nsix\nseven\neight\n", "no end", "a\r\nb\n"),
  fc.string({ maxLength: 40 }),
  fc.array(fc.string({ maxLength: 5 }), { maxLength: 8 }).map((lines) => lines.join("\n")),
  fc.uint8Array({ maxLength: 40 }),
);
const path = fc.constantFrom(...PATHS);
const edit = fc.oneof(
  fc.record({ kind: fc.constant("write" as const), path, content, isExecutable: fc.boolean() }),
  fc.record({ kind: fc.constant("remove" as const), path }),
  fc.record({
    kind: fc.constant("link" as const),
    path,
    to: fc.constantFrom("a", "../..", "/etc/passwd", "nowhere", "d"),
  }),
);
type Edit = typeof edit extends fc.Arbitrary<infer E> ? E : never;

/** Whatever is in the way goes, also links among the folders: an edit never leaves the copy. */
function make(root: string, done: Edit): void {
  const parts = done.path.split("/");
  for (let count = 1; count < parts.length; count++) {
    const folder = join(root, ...parts.slice(0, count));
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) continue;
    rmSync(folder, { force: true });
    mkdirSync(folder);
  }
  const full = join(root, done.path);
  rmSync(full, { recursive: true, force: true });
  if (done.kind === "link") symlinkSync(done.to, full);
  if (done.kind === "write") writeFileSync(full, done.content, { mode: done.isExecutable ? 0o755 : 0o644 });
}

test("any edits to a copy are in its patch, and a fresh copy with the patch is the same", async () => {
  using folder = new TempFolder(FILES);
  const repo = join(folder.path, "repo");
  const before = everythingIn(repo);
  const base = await openBase(folderTask(repo), { cacheDir: join(folder.path, "cache") });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { maxLength: 8 }), async (edits) => {
      const [copy, other] = [join(folder.path, `copy${count}`), join(folder.path, `other${count++}`)];
      await base.copyTo(copy, { withGit: false });
      for (const one of edits) make(copy, one);
      const { patch, files } = await base.diff(copy);
      await base.copyTo(other, { withGit: false });
      const applied = await base.apply(other, patch);
      expect(applied).toEqual({ way: files.length === 0 ? "empty" : "plain" });
      expect(filesOf(other)).toEqual(filesOf(copy));
      rmSync(copy, { recursive: true });
      rmSync(other, { recursive: true });
    }),
    { numRuns: 60 },
  );
  expect(everythingIn(repo)).toEqual(before);
});
