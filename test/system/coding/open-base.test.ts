import "../../support/in-memory.ts";
import { spawn } from "node:child_process";
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RepoSource } from "../../../src/targets/coding/tasks/task.ts";
import { openBase } from "../../../src/targets/coding/workspace/open-base.ts";
import { everythingIn, filesOf, folderTask, gitIn, taskOf } from "../../support/a-repository.ts";
import { TempFolder } from "../../support/temp-folder.ts";

function gitSource(url: string, facts: Partial<Extract<RepoSource, { kind: "git" }>> = {}): RepoSource {
  return { kind: "git", url, branch: null, commit: null, subdir: null, sparse: [], ...facts };
}

/** A repository of two commits and a branch; gives the first commit. */
function makeRepository(dir: string): string {
  gitIn(dir, "init", "-q");
  gitIn(dir, "add", "-A");
  gitIn(dir, "commit", "-qm", "first");
  const first = gitIn(dir, "rev-parse", "HEAD");
  writeFileSync(join(dir, "README.md"), "second\n");
  gitIn(dir, "commit", "-qam", "second");
  gitIn(dir, "checkout", "-qb", "side", first);
  writeFileSync(join(dir, "side.txt"), "side\n");
  gitIn(dir, "add", "-A");
  gitIn(dir, "commit", "-qm", "side");
  gitIn(dir, "checkout", "-q", "main");
  return first;
}

const FILES = {
  "repo/README.md": "first\n",
  "repo/lib/a.txt": "a\n",
  "repo/lib/deep/b.txt": "b\n",
  "repo/docs/c.txt": "c\n",
  "repo/run.sh": "#!/bin/sh\n",
};

describe("a base of a folder", () => {
  test("has its files, links and modes, no .git and no socket, and leaves the folder as it was", async () => {
    using folder = new TempFolder({ ...FILES, "repo/.git/HEAD": "not ours\n" });
    const repo = join(folder.path, "repo");
    symlinkSync("/etc", join(repo, "etc"));
    mkdirSync(join(repo, "empty"));
    const before = everythingIn(repo);
    const base = await openBase(folderTask(repo), { cacheDir: join(folder.path, "cache") });
    const copy = join(folder.path, "copy");
    await base.copyTo(copy, { withGit: false });
    expect(filesOf(copy)).toEqual(filesOf(repo));
    expect(readlinkSync(join(copy, "etc"))).toBe("/etc");
    expect(readdirSync(copy)).not.toContain(".git");
    expect(existsSync(join(copy, "empty"))).toBe(true);
    expect(base.revision).toMatch(/^files-[0-9a-f]{12}$/);
    expect(everythingIn(repo)).toEqual(before);
  });

  test("is found again by whoever asks, and is another one once the folder has changed", async () => {
    using folder = new TempFolder(FILES);
    const cacheDir = join(folder.path, "cache");
    const repo = join(folder.path, "repo");
    const first = await openBase(folderTask(repo), { cacheDir });
    expect((await openBase(folderTask(repo), { cacheDir })).dir).toBe(first.dir);
    folder.write("repo/lib/a.txt", "A\n");
    const second = await openBase(folderTask(repo), { cacheDir });
    expect(second.dir).not.toBe(first.dir);
    expect(second.revision).not.toBe(first.revision);
    expect(readdirSync(cacheDir)).toHaveLength(2);
  });

  test("is one where several make it at once, and nothing is left of the others or of the dead", async () => {
    using folder = new TempFolder(FILES);
    const cacheDir = join(folder.path, "cache");
    const child = spawn("true");
    await new Promise((resolve) => child.on("close", resolve));
    const [dead, foreign] = [`.making-${hostname()}-${child.pid}-00`, ".making-elsewhere.example-1-00"];
    for (const name of [dead, foreign]) mkdirSync(join(cacheDir, name), { recursive: true });
    const bases = await Promise.all(
      [1, 2, 3].map(() => openBase(folderTask(join(folder.path, "repo")), { cacheDir })),
    );
    expect(new Set(bases.map(({ dir }) => dir)).size).toBe(1);
    expect(readdirSync(cacheDir).filter((name) => name.startsWith("."))).toEqual([foreign]);
    const copies = ["x", "y"].map((name) => join(folder.path, name));
    await Promise.all(copies.map((copy, index) => bases[index]!.copyTo(copy, { withGit: true })));
    writeFileSync(join(copies[0]!, "README.md"), "mine\n");
    expect((await bases[1]!.diff(copies[1]!)).files).toEqual([]);
    expect((await bases[1]!.diff(copies[0]!)).files).toEqual(["README.md"]);
  });

  test("gives the agent a repository of one commit that git finds clean without reading a file", async () => {
    using folder = new TempFolder({
      ...FILES,
      "repo/.gitignore": "lib/\n",
      "repo/.gitattributes": "* text=auto\n",
    });
    const base = await openBase(folderTask(join(folder.path, "repo"), { remove: ["docs"] }), {
      cacheDir: join(folder.path, "cache"),
    });
    const copy = join(folder.path, "copy");
    await base.copyTo(copy, { withGit: true });
    expect(gitIn(copy, "status", "--porcelain")).toBe("");
    expect(gitIn(copy, "log", "--format=%an %ad", "--date=short")).toBe("assay 2024-01-01");
    expect(gitIn(copy, "ls-files").split("\n")).toContain("lib/a.txt");
    expect(gitIn(copy, "diff-files", "--name-only")).toBe("");
    // What was taken away can't be found in the repository's past either.
    expect(gitIn(copy, "fsck", "--lost-found")).toBe("");
    const objects = gitIn(copy, "cat-file", "--batch-all-objects", "--batch-check", "--unordered");
    expect(objects.split("\n").filter((line) => line.includes("blob"))).toHaveLength(6);
    expect(readdirSync(join(copy, ".git/objects"))).toEqual(["info", "pack"]);
  });

  test("has what the overlay puts in, and not what it takes away", async () => {
    using folder = new TempFolder({ ...FILES, "more/tool.sh": "#!/bin/sh\n" });
    const overlay = {
      remove: ["docs", "lib/a.txt", "not/there"],
      files: { "README.md": "changed\n", "new/dir/x.txt": "x\n", "bin/go": "#!/bin/sh\n" },
      copies: { "tools/tool.sh": join(folder.path, "more/tool.sh") },
    };
    const base = await openBase(folderTask(join(folder.path, "repo"), overlay), {
      cacheDir: join(folder.path, "c"),
    });
    expect(filesOf(base.dir)).toEqual({
      "README.md": "- changed\n",
      "lib/deep/b.txt": "- b\n",
      "run.sh": "- #!/bin/sh\n",
      "new/dir/x.txt": "- x\n",
      "bin/go": "x #!/bin/sh\n",
      "tools/tool.sh": "- #!/bin/sh\n",
    });
  });

  test.each([
    [{ files: { "../x": "" } }, /names \.\.\/x, which leads out of the repository/],
    [{ remove: ["/etc"] }, /which is absolute/],
    [{ files: { ".git/config": "" } }, /leads into \.git/],
    [{ files: { "out/x": "" } }, /leads through the link out/],
    [{ files: { out: "" } }, /leads through the link out/],
    [{ remove: ["out/passwd"] }, /leads through the link out/],
    [
      { copies: { x: "/not/there" } },
      /\/not\/there, which the task puts into its repository as x, can't be read/,
    ],
  ])("refuses an overlay that leaves it: %j", async (overlay, message) => {
    using folder = new TempFolder(FILES);
    symlinkSync("/etc", join(folder.path, "repo/out"));
    const cacheDir = join(folder.path, "cache");
    const opening = (async () =>
      openBase(folderTask(join(folder.path, "repo"), overlay as object), { cacheDir }))();
    await expect(opening).rejects.toThrow(message);
    expect(existsSync(cacheDir) ? readdirSync(cacheDir) : []).toEqual([]);
  });

  test("may take away a link itself", async () => {
    using folder = new TempFolder(FILES);
    symlinkSync("/etc", join(folder.path, "repo/out"));
    const base = await openBase(folderTask(join(folder.path, "repo"), { remove: ["out"] }), {
      cacheDir: join(folder.path, "cache"),
    });
    expect(lstatSync(join(base.dir, "out"), { throwIfNoEntry: false })).toBeUndefined();
    expect(existsSync("/etc/passwd")).toBe(true);
  });

  test("copies large files, too", async () => {
    using folder = new TempFolder({ "repo/large.bin": new Uint8Array(3 << 20).fill(7), "repo/a": "a" });
    const base = await openBase(folderTask(join(folder.path, "repo")), {
      cacheDir: join(folder.path, "cache"),
    });
    const copy = join(folder.path, "copy");
    await base.copyTo(copy, { withGit: true });
    expect(filesOf(copy)).toEqual(filesOf(base.dir));
    expect((await base.diff(copy)).files).toEqual([]);
    expect(gitIn(copy, "status", "--porcelain")).toBe("");
  });

  test("of an empty repository can be worked in", async () => {
    using folder = new TempFolder();
    const base = await openBase(taskOf({ kind: "empty" }), { cacheDir: join(folder.path, "cache") });
    const [copy, other] = [join(folder.path, "copy"), join(folder.path, "other")];
    await base.copyTo(copy, { withGit: true });
    await base.copyTo(other, { withGit: true });
    writeFileSync(join(copy, "x"), "x\n");
    expect(await base.apply(other, (await base.diff(copy)).patch)).toEqual({ way: "plain" });
    expect(filesOf(other)).toEqual({ x: "- x\n" });
  });
});

describe("a base of a git repository", () => {
  test("is at the commit, on the branch or at HEAD, and leaves the repository as it was", async () => {
    using folder = new TempFolder(FILES);
    const repo = join(folder.path, "repo");
    const first = makeRepository(repo);
    const before = everythingIn(repo);
    const open = (source: RepoSource) => openBase(taskOf(source), { cacheDir: join(folder.path, "cache") });
    const atCommit = await open(gitSource(repo, { commit: first }));
    expect(atCommit.revision).toBe(first);
    expect(filesOf(atCommit.dir)["README.md"]).toBe("- first\n");
    const atShort = await open(gitSource(repo, { commit: first.slice(0, 8) }));
    expect(atShort.revision).toBe(first);
    expect(filesOf((await open(gitSource(repo))).dir)["README.md"]).toBe("- second\n");
    expect(filesOf((await open(gitSource(repo, { branch: "side" }))).dir)).toHaveProperty("side.txt");
    expect(everythingIn(repo)).toEqual(before);
  });

  test.runIf(process.getuid?.() === 0)(
    "may belong to somebody else (only root can give it away)",
    async () => {
      using folder = new TempFolder(FILES);
      const repo = join(folder.path, "repo");
      const commit = makeRepository(repo);
      for (const path of ["", ".git"]) chownSync(join(repo, path), 12345, 12345);
      const before = everythingIn(repo);
      const base = await openBase(taskOf(gitSource(repo, { commit })), {
        cacheDir: join(folder.path, "cache"),
      });
      expect(base.revision).toBe(commit);
      expect(everythingIn(repo)).toEqual(before);
    },
  );

  test("is one folder of it, or some", async () => {
    using folder = new TempFolder(FILES);
    const repo = join(folder.path, "repo");
    const commit = makeRepository(repo);
    const open = (facts: object) =>
      openBase(taskOf(gitSource(repo, { commit, ...facts })), { cacheDir: join(folder.path, "cache") });
    expect(Object.keys(filesOf((await open({ subdir: "lib" })).dir)).sort()).toEqual(["a.txt", "deep/b.txt"]);
    const sparse = Object.keys(filesOf((await open({ sparse: ["lib/deep"] })).dir)).sort();
    expect(sparse).toEqual(["README.md", "lib/a.txt", "lib/deep/b.txt", "run.sh"]);
    const globbed = Object.keys(filesOf((await open({ sparse: ["docs/*.txt"] })).dir));
    expect(globbed).toEqual(["docs/c.txt"]);
    await expect(open({ subdir: "nowhere" })).rejects.toThrow(
      /has no folder nowhere at this commit.*repo\.subdir/,
    );
  });

  test("says what can't be had, without a password", async () => {
    using folder = new TempFolder(FILES);
    const repo = join(folder.path, "repo");
    makeRepository(repo);
    const open = (source: RepoSource) => openBase(taskOf(source), { cacheDir: join(folder.path, "cache") });
    const missing = "0123456789012345678901234567890123456789";
    await expect(open(gitSource(repo, { commit: missing }))).rejects.toThrow(
      /0123456789.* can't be fetched.*start_commit_sha/,
    );
    await expect(open(gitSource(repo, { branch: "nope" }))).rejects.toThrow(
      /nope of the repository .* can't be fetched/,
    );
    const secret = open(gitSource("https://me:hunter2@127.0.0.1:1/x.git", { commit: missing }));
    await expect(secret).rejects.toThrow(/https:\/\/127\.0\.0\.1:1\/x\.git can't be fetched/);
    await expect(secret).rejects.not.toThrow(/hunter2/);
    expect(readdirSync(join(folder.path, "cache"))).toEqual([]);
  });
});
