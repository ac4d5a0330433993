import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProgramSandbox, Sandbox, Workspace } from "../sandboxes/sandbox.ts";
import { type Check, inTempFolder } from "./contract.ts";

const signal = new AbortController().signal;
const LIMITS = { timeoutMs: 60_000, outputBytes: 10_000, signal };
const FILES = new Map([
  ["README.md", "# hello\n"],
  ["src/deep/c.txt", "one\ntwo\nthree\n"],
]);

/** What all sandboxes promise: nothing reaches the files that they were opened with, and nothing is left running. */
export function sandboxContract(sandbox: Sandbox): Check[] {
  const inside = (use: (workspace: Workspace) => Promise<void>) =>
    inTempFolder(async (dir) => {
      const workspace = await sandbox.open(FILES, { parentDir: dir });
      try {
        await use(workspace);
      } finally {
        await workspace.close();
      }
    });
  return [
    {
      title: "runs commands on a copy of the files",
      check: () =>
        inside(async (workspace) => {
          const { output, exitCode, isTimeout } = await workspace.run("cat README.md && ls src/deep", LIMITS);
          assert.deepEqual(
            { output, exitCode, isTimeout },
            { output: "# hello\nc.txt\n", exitCode: 0, isTimeout: false },
          );
          assert.notEqual((await workspace.run("cat missing.txt", LIMITS)).exitCode, 0);
        }),
    },
    {
      title: "reads and writes inside, and nowhere else",
      check: () =>
        inside(async (workspace) => {
          assert.equal(await workspace.write("new/file.txt", "text"), true);
          assert.equal(await workspace.read("new/file.txt"), "text");
          for (const path of ["../out.txt", "/etc/hostname", "src/../../x"]) {
            assert.equal(await workspace.read(path), undefined, `it reads ${path}`);
            assert.equal(await workspace.write(path, "x"), false, `it writes ${path}`);
          }
          const now = await workspace.snapshot();
          assert.deepEqual([...now].sort(), [...FILES, ["new/file.txt", "text"]].sort());
        }),
    },
    {
      title: "keeps workspaces apart",
      check: () =>
        inside(async (one) => {
          await inside(async (other) => {
            await one.write("README.md", "changed");
            assert.equal(await other.read("README.md"), "# hello\n");
          });
        }),
    },
    ...("execute" in sandbox ? programChecks(sandbox as ProgramSandbox) : []),
  ];
}

function programChecks(sandbox: ProgramSandbox): Check[] {
  const execute = (dir: string, argv: string[], part: { timeoutMs?: number; signal?: AbortSignal } = {}) => {
    mkdirSync(join(dir, "work"));
    writeFileSync(join(dir, "work/in.txt"), "in\n");
    return sandbox.execute({
      ...{ argv, cwd: join(dir, "work"), env: { WORD: "given" }, network: false, ...part },
      ...{ writable: [{ path: join(dir, "work") }], readable: [] },
      ...{ timeoutMs: part.timeoutMs ?? 60_000, memoryMb: 0, diskMb: 0, outputBytes: 10_000 },
      ...{ stdoutPath: join(dir, "stdout"), stderrPath: join(dir, "stderr"), signal: part.signal ?? signal },
    });
  };
  return [
    {
      title: "runs a program on a folder, with the environment that it is given, and tells its exit code",
      check: () =>
        inTempFolder(async (dir) => {
          const script = 'cat in.txt; echo "$WORD"; echo out > out.txt; exit 3';
          const { exitCode, ended } = await execute(dir, ["/bin/sh", "-c", script]);
          assert.deepEqual({ exitCode, ended }, { exitCode: 3, ended: undefined });
          assert.equal(readFileSync(join(dir, "stdout"), "utf8"), "in\ngiven\n");
          assert.equal(readFileSync(join(dir, "work/out.txt"), "utf8"), "out\n");
        }),
    },
    {
      title: "ends a program that takes too long",
      check: () =>
        inTempFolder(async (dir) => {
          const { ended } = await execute(dir, ["/bin/sh", "-c", "sleep 600"], { timeoutMs: 500 });
          assert.equal(ended, "timeout");
        }),
    },
  ];
}
