import "../../support/in-memory.ts";
import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { directory } from "../../../src/sandboxes/directory.ts";
import { sandboxes } from "../../../src/sandboxes/index.ts";
import { isAlive } from "../../support/processes.ts";
import { usable } from "../../support/sandboxed.ts";
import { TempFolder } from "../../support/temp-folder.ts";
import { waitFor } from "../../support/wait-for.ts";

const signal = new AbortController().signal;
const limits = { timeoutMs: 200_000, outputBytes: 10_000, signal };
const files = new Map([
  ["README.md", "# hello\n"],
  ["src/a.js", 'module.exports = { a: () => "A" };\n'],
  ["src/b.js", 'const { a } = require("./a.js");\nconsole.log(a() + "B");\n'],
  ["src/deep/c.txt", "one\ntwo\nthree\n"],
]);

/** Those with this machine's programs. Containers have their image's: `containers.test.ts` tries them. */
const { docker: _docker, podman: _podman, ...local } = sandboxes;

describe.each(await usable(Object.values(local)))("the sandbox $name", (sandbox) => {
  const opened = async () => {
    const folder = new TempFolder();
    return { folder, workspace: await sandbox.open(files, { parentDir: folder.path }) };
  };

  test.each([
    ["cat README.md", "# hello\n"],
    ["ls src", "a.js\nb.js\ndeep\n"],
    ["head -n 2 src/deep/c.txt | tail -n 1", "two\n"],
    ["sed -n '2,3p' src/deep/c.txt", "two\nthree\n"],
    ["grep -rn 'require' src", 'src/b.js:1:const { a } = require("./a.js");\n'],
    ["grep -rnw 'a' ./src/b.js", '1:const { a } = require("./a.js");\n2:console.log(a() + "B");\n'],
    ["find . -type f -not -path '*/deep/*' -name '*.js' | sort", "./src/a.js\n./src/b.js\n"],
    ["node src/b.js", "AB\n"],
    ["cat missing.txt 2>&1 || echo none", expect.stringMatching(/none\n$/)],
    ["wc -l src/deep/c.txt && echo 'x y'", "3 src/deep/c.txt\nx y\n"],
  ])("answers %s", async (command, output) => {
    const { folder, workspace } = await opened();
    using _ = folder;
    expect(await workspace.run(command, limits)).toMatchObject({ output, exitCode: 0, isTimeout: false });
    await workspace.close();
  });

  test("tells failures by their exit codes", async () => {
    const { folder, workspace } = await opened();
    using _ = folder;
    expect((await workspace.run("no-such-program", limits)).exitCode).toBe(127);
    expect((await workspace.run("grep -rn nothing .", limits)).exitCode).toBe(1);
    await workspace.write("bad.js", "process.exitCode = 3;");
    expect((await workspace.run("node bad.js", limits)).exitCode).toBe(3);
    await workspace.write("thrown.js", 'throw new TypeError("no");');
    expect(await workspace.run("node thrown.js", limits)).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining("TypeError: no"),
    });
    await workspace.close();
  });

  test("reads and writes inside, and nowhere else", async () => {
    const { folder, workspace } = await opened();
    using _ = folder;
    expect(await workspace.write("new/file.txt", "text")).toBe(true);
    expect(await workspace.read("./new/file.txt")).toBe("text");
    for (const path of ["../out.txt", "/etc/hostname", "src/../../x", "", "src"]) {
      expect(await workspace.read(path)).toBeUndefined();
      expect(await workspace.write(path, "x")).toBe(false);
    }
    expect(new Map([...(await workspace.snapshot())].sort())).toEqual(
      new Map([...files, ["new/file.txt", "text"] as const].sort()),
    );
    expect(files.has("new/file.txt")).toBe(false);
    await workspace.close();
  });

  test("ends what takes too long", async () => {
    const { folder, workspace } = await opened();
    using _ = folder;
    await workspace.write("loop.js", "for (;;);");
    const result = await workspace.run("node loop.js", { ...limits, timeoutMs: 300 });
    expect(result).toMatchObject({ isTimeout: true, exitCode: null });
    await workspace.close();
  });

  test("keeps the beginning and the end of very long output", async () => {
    const { folder, workspace } = await opened();
    using _ = folder;
    await workspace.write("long.js", 'console.log("begin" + "x".repeat(300000) + "end");');
    const { output, omittedBytes } = await workspace.run("node long.js", { ...limits, outputBytes: 1000 });
    expect(output).toMatch(/^beginx+\n\(\d+ bytes omitted\)\nx+end\n$/);
    expect(output.length).toBeLessThan(1100);
    expect(omittedBytes).toBe(300_009 - 1000);
    await workspace.close();
  });
});

describe("the sandbox directory", () => {
  test("gives commands no key of ours", async () => {
    using folder = new TempFolder();
    process.env.ASSAY_TEST_API_KEY = "secret";
    const workspace = await directory.open(files, { parentDir: folder.path });
    const { output } = await workspace.run("env", limits);
    delete process.env.ASSAY_TEST_API_KEY;
    expect(output).not.toContain("secret");
    expect(output).toContain("PATH=");
    await workspace.close();
  });

  test("ends with a command what it left in the background", async () => {
    using folder = new TempFolder();
    const workspace = await directory.open(files, { parentDir: folder.path });
    const { output } = await workspace.run("sleep 600 & echo $!", limits);
    await waitFor("it to end", () => !isAlive(Number(output.trim())));
    await workspace.close();
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test("follows no link that leads outside", async () => {
    using folder = new TempFolder({ "secret.txt": "secret" });
    const workspace = await directory.open(files, { parentDir: folder.path });
    const [name] = readdirSync(folder.path).filter((entry) => entry.startsWith("workspace-"));
    symlinkSync(`${folder.path}/secret.txt`, `${folder.path}/${name}/link.txt`);
    symlinkSync(folder.path, `${folder.path}/${name}/out`);
    expect(await workspace.read("link.txt")).toBeUndefined();
    expect(await workspace.write("link.txt", "x")).toBe(false);
    expect(await workspace.write("out/made.txt", "x")).toBe(false);
    expect(existsSync(`${folder.path}/made.txt`)).toBe(false);
    expect([...(await workspace.snapshot()).keys()]).not.toContain("link.txt");
    await workspace.close();
  });
});

test("the sandbox memory refuses what it does not understand, in words", async () => {
  const workspace = await sandboxes.memory!.open(files, { parentDir: null });
  for (const command of ["echo $(ls)", "ls > out.txt", "echo `ls`", "for f in *; do ls; done"]) {
    const { output, exitCode } = await workspace.run(command, limits);
    expect(exitCode).not.toBe(0);
    expect(output).toMatch(/does not understand|not found/);
  }
});
