import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readStat } from "../../../src/host/processes.ts";
import { docker } from "../../../src/sandboxes/containers/index.ts";
import { directory } from "../../../src/sandboxes/directory.ts";
import { isMemoryDisk, roomBytes } from "../../../src/sandboxes/memory-room.ts";
import { TempFolder } from "../../support/temp-folder.ts";

/** Anew for each test: a thread looks for what the dead left once. */
async function freshly() {
  vi.resetModules();
  return await import("../../../src/targets/coding/work-folder.ts");
}

const hasMemory = isMemoryDisk("/dev/shm") && roomBytes("/dev/shm") > 2 ** 31;
const small = { runDir: null, copyBytes: 1e6, sandbox: directory };
let chosen: string | undefined;
beforeEach(() => {
  chosen = process.env.TMPDIR;
  delete process.env.TMPDIR;
});
afterEach(() => {
  if (chosen === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = chosen;
});

describe("the folder of a run", () => {
  test.runIf(hasMemory)(
    "is in memory where there is room for many copies (needs 2 GB in /dev/shm)",
    async () => {
      const { openWorkFolder } = await freshly();
      const inMemory = await openWorkFolder(small);
      expect(inMemory.path).toMatch(/^\/dev\/shm\//);
      await inMemory.remove();
      expect(existsSync(inMemory.path)).toBe(false);
      for (const other of [{ copyBytes: 1e12 }, { sandbox: docker }]) {
        const onDisk = await openWorkFolder({ ...small, ...other });
        expect(onDisk.path).not.toMatch(/^\/dev\/shm\//);
        await onDisk.remove();
      }
    },
  );

  test("is where TMPDIR says", async () => {
    using tmp = new TempFolder();
    process.env.TMPDIR = tmp.path;
    const { openWorkFolder } = await freshly();
    const folder = await openWorkFolder(small);
    expect(folder.path.startsWith(tmp.path)).toBe(true);
    await folder.remove();
  });

  test("goes with the next launch where its process was killed, and stays while that lives", async () => {
    using tmp = new TempFolder();
    process.env.TMPDIR = tmp.path;
    const { openWorkFolder, workRoot } = await freshly();
    const root = workRoot();
    const dead = spawnSync("true").pid;
    const startedAt = readStat(process.pid)!.startedAt;
    const make = (name: string) => {
      mkdirSync(`${root}/${name}/repo`, { recursive: true });
      writeFileSync(`${root}/${name}/repo/file`, "");
    };
    make(`run-aaa.${hostname()}.${dead}.123`);
    make(`run-bbb.${hostname()}.${process.pid}.${startedAt}`);
    make(`run-ccc.elsewhere.${dead}.123`);
    make(`run-ddd.${hostname()}.${process.pid}.1`);
    const folder = await openWorkFolder(small);
    const left = readdirSync(root).filter((name) => !folder.path.endsWith(name));
    expect(left.map((name) => name.slice(0, 7)).sort()).toEqual(["run-bbb", "run-ccc"]);
    await folder.remove();
  });

  test("takes the place of one that an earlier attempt of the run left", async () => {
    using tmp = new TempFolder({ "runs/a/out/x": "" });
    process.env.TMPDIR = tmp.path;
    const { openWorkFolder } = await freshly();
    const runDir = `${tmp.path}/runs/a/out`;
    const first = await openWorkFolder({ ...small, runDir });
    writeFileSync(`${first.path}/left`, "");
    const second = await openWorkFolder({ ...small, runDir });
    expect(readdirSync(dirname(second.path))).toHaveLength(1);
    expect(readdirSync(second.path)).toEqual([]);
    await second.remove();
  });
});
