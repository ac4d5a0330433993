import "../../support/in-memory.ts";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, test } from "vitest";
import { bubblewrap } from "../../../src/sandboxes/bubblewrap/index.ts";
import { directory } from "../../../src/sandboxes/directory.ts";
import { openFolder } from "../../../src/sandboxes/folder-workspace.ts";
import { processesWith } from "../../support/processes.ts";
import { usable } from "../../support/sandboxed.ts";
import { TempFolder } from "../../support/temp-folder.ts";
import { waitFor } from "../../support/wait-for.ts";

const limits = { timeoutMs: 200_000, outputBytes: 10_000, signal: new AbortController().signal };

describe.each(await usable([directory, bubblewrap]))("a folder as a workspace in $name", (sandbox) => {
  const opened = () => {
    const folder = new TempFolder({ "repo/a.txt": "a\n", "outside.txt": "outside" });
    const root = `${folder.path}/repo`;
    return { folder, root, workspace: openFolder(sandbox, root, { env: { GIVEN: "given" }, diskMb: 50 }) };
  };

  test("is worked on where it is, and stays", async () => {
    const { folder, root, workspace } = opened();
    using _ = folder;
    const { output, exitCode } = await workspace.run("cat a.txt; echo $GIVEN >&2; echo b > b.txt", limits);
    expect({ output, exitCode }).toEqual({ output: "a\ngiven\n", exitCode: 0 });
    expect(await workspace.write("deep/c.txt", "c")).toBe(true);
    expect([...(await workspace.snapshot()).keys()].sort()).toEqual(["a.txt", "b.txt", "deep/c.txt"]);
    await workspace.close();
    expect(readFileSync(`${root}/deep/c.txt`, "utf8")).toBe("c");
  });

  test("has folders beside it that its commands may write to, which are no part of it", async () => {
    using folder = new TempFolder({ "repo/a.txt": "a\n", "home/.known": "" });
    const home = `${folder.path}/home`;
    const workspace = openFolder(sandbox, `${folder.path}/repo`, {
      ...{ env: { HOME: home }, writable: [{ path: home }] },
    });
    expect(await workspace.run("echo kept > ~/note", limits)).toMatchObject({ output: "", exitCode: 0 });
    expect(await workspace.run("cat ~/note", limits)).toMatchObject({ output: "kept\n" });
    expect(await workspace.read(`${home}/note`)).toBeUndefined();
    expect([...(await workspace.snapshot()).keys()]).toEqual(["a.txt"]);
  });

  test("is left by no path and no link", async () => {
    const { folder, root, workspace } = opened();
    using _ = folder;
    symlinkSync(folder.path, `${root}/up`);
    symlinkSync(`${folder.path}/outside.txt`, `${root}/soft.txt`);
    for (const path of [
      "../outside.txt",
      `${folder.path}/outside.txt`,
      "up/outside.txt",
      "soft.txt",
      "up/new/x",
    ]) {
      expect(await workspace.read(path)).toBeUndefined();
      expect(await workspace.write(path, "changed")).toBe(false);
    }
    expect(readFileSync(`${folder.path}/outside.txt`, "utf8")).toBe("outside");
    expect(readdirSync(folder.path).sort()).toEqual(["outside.txt", "repo"]);
  });

  test("writes no file that has another name outside, nor into a pipe", async () => {
    const { folder, root, workspace } = opened();
    using _ = folder;
    linkSync(`${folder.path}/outside.txt`, `${root}/hard.txt`);
    chmodSync(`${root}/hard.txt`, 0o755);
    expect(await workspace.write("hard.txt", "changed")).toBe(true);
    expect(await workspace.read("hard.txt")).toBe("changed");
    expect(statSync(`${root}/hard.txt`).mode & 0o777).toBe(0o755);
    expect(readFileSync(`${folder.path}/outside.txt`, "utf8")).toBe("outside");
    await workspace.run("mkfifo pipe", limits);
    expect(await workspace.write("pipe", "x")).toBe(false);
    expect(await workspace.read("pipe")).toBeUndefined();
  });

  test("tells an agent why a command was ended", async () => {
    const { folder, workspace } = opened();
    using _ = folder;
    const { output } = await workspace.run("head -c 90000000 /dev/zero > big; sleep 600", limits);
    await workspace.run("rm big", limits);
    expect(output).toContain("(ended: more than 50 MB on the disk)");
  });

  test("ends a command at its time limit, and tells what it had printed", async () => {
    const { folder, workspace } = opened();
    using _ = folder;
    const run = (timeoutMs: number) => workspace.run("echo begun; sleep 600", { ...limits, timeoutMs });
    let late = await run(300);
    // A slow machine may not even have begun with it by then.
    for (let timeoutMs = 600; late.output === "" && timeoutMs < 40_000; timeoutMs *= 2)
      late = await run(timeoutMs);
    expect(late).toMatchObject({ isTimeout: true, exitCode: null, output: "begun\n" });
  });

  test("ends what still runs when it is closed or cancelled", async () => {
    const { folder, root, workspace } = opened();
    using _ = folder;
    const running = workspace.run(`: > begun; exec sleep 600 # ${root}`, limits);
    await waitFor("the command", () => existsSync(`${root}/begun`));
    await workspace.close();
    expect(await running).toMatchObject({ exitCode: null, isTimeout: false });
    expect(processesWith(`PWD=${root}`)).toEqual([]);
    expect(await workspace.run("echo late", limits)).toMatchObject({ output: "", exitCode: null });
  });

  test("may lose its .git and its folders", async () => {
    const { folder, root, workspace } = opened();
    using _ = folder;
    mkdirSync(`${root}/.git`);
    writeFileSync(`${root}/.git/HEAD`, "ref");
    expect(await workspace.run("rm -rf .git ./*; ls -A", limits)).toMatchObject({ output: "", exitCode: 0 });
    expect(await workspace.snapshot()).toEqual(new Map());
  });
});
