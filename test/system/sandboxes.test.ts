import "../support/in-memory.ts";
import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { bubblewrap } from "../../src/sandboxes/bubblewrap/index.ts";
import { directory } from "../../src/sandboxes/directory.ts";
import { Launched } from "../support/launch.ts";
import { canMeasureMemory, preload } from "../support/preload.ts";
import { processesWith } from "../support/processes.ts";
import { skipNote, usable } from "../support/sandboxed.ts";
import { TempFolder } from "../support/temp-folder.ts";
import { waitFor } from "../support/wait-for.ts";

const sandboxesPath = fileURLToPath(new URL("../../src/sandboxes/index.ts", import.meta.url));
const usables = await usable([directory, bubblewrap]);

/** A program that runs one shell script in a sandbox, in the folder where it is, and prints the result. */
async function makeRunner(folder: TempFolder, name: string, script: string): Promise<string[]> {
  const outfile = `${folder.path}/runner.mjs`;
  const contents = `
    import { programSandboxes } from ${JSON.stringify(sandboxesPath)};
    const cwd = ${JSON.stringify(folder.path)};
    console.log(JSON.stringify(await programSandboxes[${JSON.stringify(name)}].execute({
      argv: ["/bin/sh", "-c", ${JSON.stringify(script)}],
      cwd, env: { BOX: cwd }, writable: [{ path: cwd }], readable: [], network: false,
      timeoutMs: 0, memoryMb: 0, diskMb: 0, stdoutPath: cwd + "/stdout.txt", stderrPath: cwd + "/stderr.txt",
      outputBytes: 1_000_000, signal: new AbortController().signal,
    })));`;
  await build({
    stdin: { contents, resolveDir: folder.path, loader: "ts" },
    ...{ outfile, bundle: true, platform: "node", format: "esm", logLevel: "error" },
  });
  return [process.execPath, outfile];
}

describe.each(usables)("a runner with the sandbox $name", ({ name }) => {
  test.runIf(canMeasureMemory)("stays small while a program prints a gigabyte (needs /proc)", async () => {
    using folder = new TempFolder();
    const runner = await makeRunner(folder, name, "head -c 1000000000 /dev/zero; echo end");
    const env = { ...process.env, ...preload("peak-memory"), PEAK_FILE: `${folder.path}/peak.txt` };
    const { stdout, stderr, code } = await new Launched(runner, { cwd: folder.path, env }).ended;
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ exitCode: 0, omittedBytes: 999_000_004 });
    expect(statSync(`${folder.path}/stdout.txt`).size).toBeLessThan(1_000_100);
    expect(readFileSync(`${folder.path}/stdout.txt`, "utf8").endsWith("end\n")).toBe(true);
    // Node alone has about 45.
    expect(Number(folder.read("peak.txt"))).toBeLessThan(100);
  });
});

const note = await skipNote(bubblewrap);
describe.skipIf(note !== "")(`a runner that is killed${note}`, () => {
  test("takes along what it has in bubblewrap", async () => {
    using folder = new TempFolder();
    const runner = await makeRunner(folder, "bubblewrap", "setsid sleep 600 & echo > begun; sleep 600");
    // What it leaves in the folder for temporary files goes with the test's.
    const env = { ...process.env, TMPDIR: folder.path };
    const launched = new Launched(runner, { cwd: folder.path, env });
    const inside = () => processesWith(`BOX=${folder.path}`);
    await waitFor("the program", () => inside().length >= 3);
    launched.kill("SIGKILL");
    await launched.ended;
    await waitFor("all of it to end", () => inside().length === 0);
  });
});
