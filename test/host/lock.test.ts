import { rmSync, utimesSync } from "node:fs";
import { hostname } from "node:os";
import { describe, expect, test } from "vitest";
import { currentHolder, Lock } from "../../src/host/lock.ts";
import { TempFolder } from "../support/temp-folder.ts";

const holder = (part = {}) =>
  JSON.stringify({
    pid: 4242,
    host: hostname(),
    startedAt: "2026-01-01T00:00:00Z",
    command: "assay run",
    ...part,
  });

describe("the lock of a study", () => {
  test("refuses a second taker and names the first, until it is released", async () => {
    using folder = new TempFolder();
    const lock = await Lock.take(folder.path);
    await expect(Lock.take(folder.path)).rejects.toThrow(
      `is being run by process ${process.pid} on ${hostname()} since `,
    );
    expect(await currentHolder(folder.path)).toMatchObject({ pid: process.pid, host: hostname() });
    lock.release();
    expect(await currentHolder(folder.path)).toBeUndefined();
    (await Lock.take(folder.path)).release();
  });

  test("belongs to the folder, whatever path leads to it", async () => {
    using folder = new TempFolder();
    const lock = await Lock.take(folder.path);
    await expect(Lock.take(`${folder.path}/../${folder.path.split("/").at(-1)}`)).rejects.toThrow(
      "is being run by",
    );
    using other = new TempFolder();
    (await Lock.take(other.path)).release();
    lock.release();
  });

  test("of a folder that was deleted under its runner bars no later folder, whichever inode that gets", async () => {
    using deleted = new TempFolder();
    const lock = await Lock.take(deleted.path);
    rmSync(deleted.path, { recursive: true });
    for (let i = 0; i < 20; i++) {
      using later = new TempFolder();
      (await Lock.take(later.path)).release();
    }
    lock.release();
  });

  test("of a dead holder is taken over without a flag", async () => {
    using folder = new TempFolder({ "lock.json": holder() });
    expect(await currentHolder(folder.path)).toBeUndefined();
    const lock = await Lock.take(folder.path);
    expect(JSON.parse(folder.read("lock.json")).pid).toBe(process.pid);
    lock.release();
  });

  test("of another machine holds while its file is fresh, and no longer", async () => {
    using folder = new TempFolder({ "lock.json": holder({ host: "elsewhere" }) });
    await expect(Lock.take(folder.path)).rejects.toThrow("process 4242 on elsewhere");
    expect(await currentHolder(folder.path)).toMatchObject({ host: "elsewhere" });
    utimesSync(`${folder.path}/lock.json`, 0, 0);
    expect(await currentHolder(folder.path)).toBeUndefined();
    (await Lock.take(folder.path)).release();
  });

  test("of a container with this machine's name and another network holds while its file is fresh", async () => {
    using folder = new TempFolder({ "lock.json": holder({ place: "elsewhere" }) });
    await expect(Lock.take(folder.path)).rejects.toThrow("process 4242 on");
    expect(await currentHolder(folder.path)).toMatchObject({ pid: 4242 });
    utimesSync(`${folder.path}/lock.json`, 0, 0);
    (await Lock.take(folder.path)).release();
  });

  test("is not stopped by a broken file, and shows no secret", async () => {
    using folder = new TempFolder({ "lock.json": "{torn" });
    const lock = await Lock.take(folder.path, (text) =>
      text.replaceAll(/"command":"[^"]*"/g, '"command":"hidden"'),
    );
    expect(JSON.parse(folder.read("lock.json")).command).toBe("hidden");
    lock.release();
  });
});
