import "../../support/in-memory.ts";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Change } from "../../../src/targets/coding/workspace/base.ts";
import { openBase } from "../../../src/targets/coding/workspace/open-base.ts";
import { everythingIn, filesOf, folderTask, gitIn } from "../../support/a-repository.ts";
import { TempFolder } from "../../support/temp-folder.ts";

const FILES = {
  "repo/README.md": "# Title\n\nText\n",
  "repo/src/a.js": "one\ntwo\nthree\n",
  "repo/src/b.js": "uno\ndos\ntres\n",
  "repo/run.sh": "#!/bin/sh\necho hi\n",
  "repo/logo.bin": Uint8Array.from([0, 1, 2, 255, 0, 7]),
  "repo/latin.txt": Uint8Array.from([0x63, 0x61, 0x66, 0xe9, 0x0a]),
  "repo/.gitignore": "*.log\nbuild/\n",
};

/** Most tests share one base: that it stays as it is belongs to what they show. */
const shared = new TempFolder(FILES);
afterAll(() => shared[Symbol.dispose]());

/** Edits a copy, and puts what changed into a fresh one. The task stays untouched. */
async function roundTrip(
  edit: (copy: string) => void | Promise<void>,
  files?: Record<string, string | Uint8Array>,
): Promise<{ change: Change; fresh: Record<string, string>; edited: Record<string, string> }> {
  using own = new TempFolder(files);
  const { path } = files ? own : shared;
  const before = everythingIn(join(path, "repo"));
  const base = await openBase(folderTask(join(path, "repo")), { cacheDir: join(path, "cache") });
  const [copy, other] = [join(own.path, "copy"), join(own.path, "other")];
  await Promise.all([base.copyTo(copy, { withGit: true }), base.copyTo(other, { withGit: false })]);
  await edit(copy);
  const change = await base.diff(copy);
  const applied = await base.apply(other, change.patch);
  expect(applied.way).toBe(change.patch === "" ? "empty" : "plain");
  expect(everythingIn(join(path, "repo"))).toEqual(before);
  expect(readdirSync(own.path).filter((name) => name.startsWith(".diff-"))).toEqual([]);
  return { change, fresh: filesOf(other), edited: filesOf(copy) };
}

/** Nothing may be lost on the way from one copy to the other. */
async function expectSame(edit: (copy: string) => void, files?: typeof FILES): Promise<Change> {
  const { change, fresh, edited } = await roundTrip(edit, files);
  expect(fresh).toEqual(edited);
  return change;
}

describe("what an agent changed", () => {
  test("is nothing in a fresh copy", async () => {
    expect(await expectSame(() => {})).toEqual({ patch: "", lines: 0, files: [], warnings: [] });
  });

  test("is counted in lines and named by files", async () => {
    const change = await expectSame((copy) => {
      writeFileSync(join(copy, "src/a.js"), "one\n2\nthree\nfour\n");
      writeFileSync(join(copy, "new.txt"), "no end of line");
    });
    expect(change.files).toEqual(["new.txt", "src/a.js"]);
    expect(change.lines).toBe(4);
    expect(change.patch).toContain("\\ No newline at end of file");
  });

  test("holds deletions, moves, modes, links, empty files and types that changed", async () => {
    const change = await expectSame((copy) => {
      rmSync(join(copy, "README.md"));
      renameSync(join(copy, "src/b.js"), join(copy, "src/c.js"));
      chmodSync(join(copy, "run.sh"), 0o644);
      chmodSync(join(copy, "src/a.js"), 0o755);
      symlinkSync("src/a.js", join(copy, "link"));
      writeFileSync(join(copy, "empty"), "");
      rmSync(join(copy, "logo.bin"));
      mkdirSync(join(copy, "logo.bin"));
      writeFileSync(join(copy, "logo.bin/inside"), "a folder now\n");
      rmSync(join(copy, "latin.txt"));
      symlinkSync("README.md", join(copy, "latin.txt"));
    });
    expect(change.files).toContain("src/c.js");
  });

  test("holds bytes that are no text, before or after", async () => {
    await expectSame((copy) => {
      writeFileSync(join(copy, "logo.bin"), Uint8Array.from([9, 0, 9]));
      writeFileSync(join(copy, "latin.txt"), Uint8Array.from([0x63, 0xe8, 0x0a, 0x0a]));
      writeFileSync(join(copy, "src/a.js"), Uint8Array.from([0xff, 0xfe, 0x0a]));
      writeFileSync(join(copy, "late.txt"), `${"long\n".repeat(3000)}\0 a zero byte far behind`);
      writeFileSync(join(copy, "crlf.txt"), "a\r\nb\rc\r\n");
    });
  });

  test("holds names with spaces, line ends, quotes, stars and other scripts", async () => {
    const names = [
      "a b",
      "new\nline",
      'quo"te',
      "back\\slash",
      "*star[1]?",
      "ünï/文字.txt",
      " lead",
      "trail ",
      "tab\t",
      ":(top)x",
      "-n",
      "#x",
      "!x",
    ];
    const change = await expectSame((copy) => {
      mkdirSync(join(copy, "ünï"));
      for (const name of names) writeFileSync(join(copy, name), Uint8Array.from([0xe9, 0x0a]));
    });
    expect(change.files).toHaveLength(names.length);
  });

  test("does not depend on the copy's .git: deleted, broken, committed, staged or full of tricks", async () => {
    const edit = (copy: string) => writeFileSync(join(copy, "src/a.js"), "changed\n");
    const wanted = (await expectSame(edit)).patch;
    const tricks: ((copy: string) => void)[] = [
      (copy) => rmSync(join(copy, ".git"), { recursive: true }),
      (copy) => writeFileSync(join(copy, ".git/HEAD"), "rubbish"),
      (copy) => void gitIn(copy, "commit", "-qam", "done"),
      (copy) => void gitIn(copy, "add", "-A"),
      (copy) => {
        const hook = join(copy, ".git/evil.sh");
        writeFileSync(hook, `#!/bin/sh\ntouch ${join(copy, "pwned")}\n`, { mode: 0o755 });
        const run = `command = ${hook}`;
        appendFileSync(
          join(copy, ".git/config"),
          `[core]\n\tfsmonitor = ${hook}\n\thooksPath = .git\n[filter "x"]\n\tclean = ${hook}\n[diff "x"]\n\t${run}\n\ttextconv = ${hook}\n`,
        );
        writeFileSync(join(copy, ".git/info/attributes"), "* filter=x diff=x\n");
      },
      (copy) => {
        rmSync(join(copy, ".git"), { recursive: true });
        writeFileSync(join(copy, ".git"), "gitdir: /\n");
      },
    ];
    for (const trick of tricks) {
      const change = await expectSame((copy) => {
        edit(copy);
        trick(copy);
      });
      expect(change.patch).toBe(wanted);
    }
  });

  test("takes attributes for content, not for orders", async () => {
    await expectSame((copy) => {
      writeFileSync(
        join(copy, ".gitattributes"),
        "* text=auto eol=crlf\n*.bin diff\n*.js -diff filter=lfs ident\n",
      );
      writeFileSync(join(copy, "src/a.js"), "$Id$\r\nmixed\n");
      writeFileSync(join(copy, "logo.bin"), Uint8Array.from([1, 0, 13, 10, 200]));
    });
  });

  test("holds the files of a repository in the repository, but never a .git", async () => {
    const { change, fresh } = await roundTrip((copy) => {
      mkdirSync(join(copy, "vendor/lib"), { recursive: true });
      writeFileSync(join(copy, "vendor/lib/x.js"), "x\n");
      gitIn(join(copy, "vendor/lib"), "init", "-q");
      gitIn(join(copy, "vendor/lib"), "add", "-A");
      gitIn(join(copy, "vendor/lib"), "commit", "-qm", "inner");
    });
    expect(change.files).toEqual(["vendor/lib/x.js"]);
    expect(fresh["vendor/lib/x.js"]).toBe("- x\n");
  });

  test("leaves out what the task ignores, even if the agent dropped the rule, and what tools ignore", async () => {
    const { change } = await roundTrip((copy) => {
      rmSync(join(copy, ".gitignore"));
      writeFileSync(join(copy, "debug.log"), "noise");
      mkdirSync(join(copy, "build/deep"), { recursive: true });
      writeFileSync(join(copy, "build/deep/out.o"), "noise");
      mkdirSync(join(copy, ".cache"));
      writeFileSync(join(copy, ".cache/.gitignore"), "*\n");
      writeFileSync(join(copy, ".cache/x"), "noise");
      writeFileSync(join(copy, "kept.txt"), "work\n");
    });
    expect(change.files).toEqual([".gitignore", "kept.txt"]);
  });

  test("holds changes to files that are ignored but were there", async () => {
    const { change } = await roundTrip((copy) => writeFileSync(join(copy, "old.log"), "b\n"), {
      ...FILES,
      "repo/old.log": "a\n",
    });
    expect(change.files).toEqual(["old.log"]);
  });

  test("records a link to outside as a link, and reads nothing through it", async () => {
    using outside = new TempFolder({ "secret.txt": "secret" });
    const change = await expectSame((copy) => {
      symlinkSync(outside.path, join(copy, "way-out"));
      rmSync(join(copy, "src"), { recursive: true });
      symlinkSync(outside.path, join(copy, "src"));
    });
    expect(change.files).toEqual(["src", "src/a.js", "src/b.js", "way-out"]);
    expect(change.patch).not.toContain("secret");
  });

  test("is everything gone where the copy itself became a link", async () => {
    using outside = new TempFolder({ "secret.txt": "secret" });
    using folder = new TempFolder(FILES);
    const base = await openBase(folderTask(join(folder.path, "repo")), {
      cacheDir: join(folder.path, "cache"),
    });
    const copy = join(folder.path, "copy");
    await base.copyTo(copy, { withGit: false });
    rmSync(copy, { recursive: true });
    symlinkSync(outside.path, copy);
    const { patch, files } = await base.diff(copy);
    expect(files).toHaveLength(Object.keys(FILES).length);
    expect(patch).not.toContain("secret");
  });

  test("tells of pipes, sockets and files that are far too large, and goes on without them", async () => {
    let server: ReturnType<typeof createServer> | undefined;
    const { change } = await roundTrip(async (copy) => {
      execFileSync("mkfifo", [join(copy, "pipe")]);
      rmSync(join(copy, ".gitignore"));
      execFileSync("mkfifo", [join(copy, ".gitignore")]);
      server = createServer();
      await new Promise<void>((resolve) => server!.listen(join(copy, "socket"), resolve));
      writeFileSync(join(copy, "huge"), "");
      truncateSync(join(copy, "huge"), 50e9);
      writeFileSync(join(copy, "src/a.js"), "kept\n");
    });
    server?.close();
    expect(change.files).toEqual([".gitignore", "src/a.js"]);
    expect(change.warnings.sort()).toEqual([
      ".gitignore is not in the patch: it is neither file nor link",
      "huge is not in the patch: it has 50000 MB",
      "pipe is not in the patch: it is neither file nor link",
      "socket is not in the patch: it is neither file nor link",
    ]);
  });

  test("is seen where two files of one size change places, and where a time was set back", async () => {
    const change = await expectSame(
      (copy) => {
        renameSync(join(copy, "src/a.js"), join(copy, "src/x"));
        renameSync(join(copy, "src/b.js"), join(copy, "src/a.js"));
        renameSync(join(copy, "src/x"), join(copy, "src/b.js"));
        writeFileSync(join(copy, "README.md"), "# Eltit\n\nText\n");
        utimesSync(join(copy, "README.md"), 1, 1);
      },
      { ...FILES, "repo/src/a.js": "one\n", "repo/src/b.js": "two\n" },
    );
    expect(change.files).toEqual(["README.md", "src/a.js", "src/b.js"]);
  });

  test("is what a locked folder held, where we may open it", async () => {
    const { change } = await roundTrip((copy) => {
      mkdirSync(join(copy, "locked"));
      writeFileSync(join(copy, "locked/x"), "x\n");
      chmodSync(join(copy, "locked"), 0o000);
    });
    expect(change.files).toEqual(["locked/x"]);
  });
});
