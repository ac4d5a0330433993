import "../../support/in-memory.ts";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Base } from "../../../src/targets/coding/workspace/base.ts";
import { openBase } from "../../../src/targets/coding/workspace/open-base.ts";
import { everythingIn, filesOf, folderTask } from "../../support/a-repository.ts";
import { TempFolder } from "../../support/temp-folder.ts";

const LINES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const shared = new TempFolder({ "repo/list.txt": `${LINES.join("\n")}\n`, "repo/other.txt": "other\n" });
symlinkSync("/tmp", join(shared.path, "repo/out"));
afterAll(() => shared[Symbol.dispose]());
const repo = join(shared.path, "repo");
const open = (): Promise<Base> => openBase(folderTask(repo), { cacheDir: join(shared.path, "cache") });

let copies = 0;
async function freshCopy(base: Base): Promise<string> {
  const copy = join(shared.path, `copy${copies++}`);
  await base.copyTo(copy, { withGit: false });
  return copy;
}

/** A patch that makes a new file of any name. */
function newFile(path: string, mode = "100644"): string {
  return `diff --git a/${path} b/${path}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+evil\n`;
}

describe("a patch", () => {
  test("that is empty changes nothing, and is called so", async () => {
    const base = await open();
    const copy = await freshCopy(base);
    const before = everythingIn(copy);
    expect(await base.apply(copy, "")).toEqual({ way: "empty" });
    expect(await base.apply(copy, "\n")).toEqual({ way: "empty" });
    expect(everythingIn(copy)).toEqual(before);
  });

  test.each([
    ["leads out of the copy", newFile("../evil.txt")],
    ["has an absolute path", newFile("/tmp/assay-evil.txt")],
    ["goes through a link of the repository", newFile("out/assay-evil.txt")],
    ["goes through a link of its own", newLink("way", "/tmp") + newFile("way/assay-evil.txt")],
    ["goes into .git", newFile(".git/hooks/pre-commit", "100755")],
    ["goes into an inner .git", newFile("sub/.git/config")],
    [
      "fits nowhere",
      `diff --git a/list.txt b/list.txt\n--- a/list.txt\n+++ b/list.txt\n@@ -1,1 +1,1 @@\n-zero\n+0\n`,
    ],
    ["fits in part only", newFile("fine.txt") + newFile("other.txt")],
    ["is no patch at all", "I have mended it.\n"],
    ["is cut off", newFile("x.txt").replace("@@ -0,0 +1 @@", "@@ -0,0 +1,9 @@")],
  ])("that %s is refused with git's reason, and the copy stays as it was", async (_, patch) => {
    const base = await open();
    const copy = await freshCopy(base);
    const before = everythingIn(shared.path);
    const applied = await base.apply(copy, patch);
    expect(applied).toEqual({ way: "refused", reason: expect.stringMatching(/\w+ \w+/) });
    expect(everythingIn(copy)).toEqual(
      Object.fromEntries(Object.entries(before).filter(([path]) => path.startsWith(`${copy}/`))),
    );
    expect(existsSync("/tmp/assay-evil.txt")).toBe(false);
    expect(existsSync(join(shared.path, "evil.txt"))).toBe(false);
  });

  test("made before the overlay was there goes in three-way", async () => {
    const base = await open();
    const copy = await freshCopy(base);
    writeFileSync(join(copy, "list.txt"), `${LINES.with(1, "2").join("\n")}\n`);
    const { patch } = await base.diff(copy);
    // The fifth line is context of a change to the second, so the patch does not fit plainly any more.
    const changed = LINES.with(4, "V").toSpliced(0, 0, "zero");
    const overlay = { files: { "list.txt": `${changed.join("\n")}\n` } };
    const other = await openBase(folderTask(repo, overlay), { cacheDir: join(shared.path, "cache") });
    const target = await freshCopy(other);
    expect(await other.apply(target, patch)).toEqual({ way: "three-way" });
    expect(readFileSync(join(target, "list.txt"), "utf8")).toBe(`${changed.with(2, "2").join("\n")}\n`);
  });

  test("that conflicts with the overlay is refused, without a trace of the conflict", async () => {
    const base = await open();
    const copy = await freshCopy(base);
    writeFileSync(join(copy, "list.txt"), `${LINES.with(1, "2").join("\n")}\n`);
    const { patch } = await base.diff(copy);
    const overlay = { files: { "list.txt": `${LINES.with(1, "II").join("\n")}\n` } };
    const other = await openBase(folderTask(repo, overlay), { cacheDir: join(shared.path, "cache") });
    const target = await freshCopy(other);
    const before = filesOf(target);
    expect(await other.apply(target, patch)).toMatchObject({
      way: "refused",
      reason: expect.stringContaining("list.txt"),
    });
    expect(filesOf(target)).toEqual(before);
  });
});

function newLink(path: string, to: string): string {
  return `diff --git a/${path} b/${path}\nnew file mode 120000\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${to}\n\\ No newline at end of file\n`;
}
