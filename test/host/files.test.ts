import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MachineError, UserError } from "../../src/core/errors.ts";
import {
  appendText,
  openFile,
  readFolderText,
  readJson,
  readJsonIfAny,
  readNamed,
  replaceFile,
  startReplacing,
  writeAll,
} from "../../src/host/files.ts";
import { TempFolder } from "../support/temp-folder.ts";

/** Calls of fsync and rename in their order, until disposed of; `answers` are for the next calls of fsync, in turn. */
class WatchedDisk implements Disposable {
  readonly calls: string[] = [];
  readonly #real = { fsyncSync: fs.fsyncSync, renameSync: fs.renameSync };

  constructor(...answers: (string | undefined)[]) {
    fs.fsyncSync = (file) => {
      this.calls.push(fs.fstatSync(file).isDirectory() ? "sync folder" : "sync file");
      const code = answers.shift();
      if (code !== undefined) throw Object.assign(new Error(`${code}: refused`), { code });
    };
    fs.renameSync = (from, to) => {
      this.calls.push("rename");
      this.#real.renameSync(from, to);
    };
    syncBuiltinESMExports();
  }

  [Symbol.dispose](): void {
    Object.assign(fs, this.#real);
    syncBuiltinESMExports();
  }
}

describe("replacing a file", () => {
  test("puts text or bytes in its place and leaves nothing beside it", () => {
    using folder = new TempFolder({ "a.json": "before" });
    replaceFile(join(folder.path, "a.json"), "äfter");
    replaceFile(join(folder.path, "b.bin"), new Uint8Array([1, 2, 3]));
    expect(folder.read("a.json")).toBe("äfter");
    expect([...fs.readFileSync(join(folder.path, "b.bin"))]).toEqual([1, 2, 3]);
    expect(fs.readdirSync(folder.path).sort()).toEqual(["a.json", "b.bin"]);
  });

  test("has the content on the disk before the name changes, and the name before it returns", () => {
    using folder = new TempFolder();
    using disk = new WatchedDisk();
    replaceFile(join(folder.path, "a.json"), "text");
    expect(disk.calls).toEqual(["sync file", "rename", "sync folder"]);
  });

  test("does not wait for the disk where the content need not outlive a power cut", () => {
    using folder = new TempFolder();
    using disk = new WatchedDisk();
    replaceFile(join(folder.path, "live.json"), "text", { isDurable: false });
    expect(folder.read("live.json")).toBe("text");
    expect(disk.calls).toEqual(["rename"]);
  });

  test.each(["ENOSPC", "EIO"])("keeps the old file and throws when the disk refuses with %s", (code) => {
    using folder = new TempFolder({ "a.json": "before" });
    using _disk = new WatchedDisk(code);
    expect(() => replaceFile(join(folder.path, "a.json"), "after")).toThrow(code);
    expect(folder.read("a.json")).toBe("before");
    expect(fs.readdirSync(folder.path)).toEqual(["a.json"]);
  });

  test("takes a system that can't sync folders, but not a disk that refuses to", () => {
    using folder = new TempFolder();
    using _disk = new WatchedDisk(undefined, "EINVAL", undefined, "EIO");
    replaceFile(join(folder.path, "a.json"), "text");
    expect(folder.read("a.json")).toBe("text");
    expect(() => replaceFile(join(folder.path, "a.json"), "text")).toThrow("EIO");
  });

  test("in pieces shows none of them before the end, and drops them all on the way", () => {
    using folder = new TempFolder({ "a.csv": "before" });
    const path = join(folder.path, "a.csv");
    const dropped = startReplacing(path);
    writeAll(dropped.file, "half");
    dropped.drop();
    expect(folder.read("a.csv")).toBe("before");
    const kept = startReplacing(path, { mode: 0o600 });
    writeAll(kept.file, "one,");
    writeAll(kept.file, "two");
    expect(folder.read("a.csv")).toBe("before");
    kept.finish();
    kept.drop();
    expect(folder.read("a.csv")).toBe("one,two");
    expect(fs.statSync(path).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(folder.path)).toEqual(["a.csv"]);
  });
});

describe("reading JSON", () => {
  test("gives what the file holds", () => {
    using folder = new TempFolder({ "a.json": '{"a":[1,null]}' });
    expect(readJson(join(folder.path, "a.json"))).toEqual({ a: [1, null] });
    expect(readJsonIfAny(join(folder.path, "a.json"))).toEqual({ a: [1, null] });
  });

  test.each([
    ["missing", undefined, "ENOENT"],
    ["torn", '{"a":', "JSON"],
    ["empty", "", "JSON"],
  ])("names a file that is %s, or takes it as none where it may be", (_, content, words) => {
    using folder = new TempFolder(content === undefined ? {} : { "a.json": content });
    const path = join(folder.path, "a.json");
    expect(() => readJson(path)).toThrow(UserError);
    expect(() => readJson(path)).toThrow(path);
    expect(() => readJson(path)).toThrow(words);
    expect(readJsonIfAny(path)).toBeUndefined();
  });
});

describe("a pipe in place of a file", () => {
  test("keeps nobody waiting: it is the user's mistake, or stands in the way in a study's folder", () => {
    using folder = new TempFolder();
    const pipe = join(folder.path, "pipe");
    spawnSync("mkfifo", [pipe]);
    expect(() => readNamed(pipe, { shown: "./pipe" })).toThrow(
      new UserError("./pipe can't be read: it is a pipe or a device, not an ordinary file"),
    );
    for (const path of [pipe, "/dev/zero"]) {
      expect(() => readNamed(path)).toThrow(UserError);
      expect(() => readFolderText(path)).toThrow(MachineError);
      expect(() => openFile(path)).toThrow(MachineError);
    }
    expect(() => appendText(pipe, "line\n")).toThrow("ENXIO");
    const reader = fs.openSync(pipe, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    expect(() => appendText(pipe, "line\n")).toThrow(MachineError);
    fs.closeSync(reader);
  });

  test("is none where the file is one: lines are appended, and the file made", () => {
    using folder = new TempFolder();
    const path = join(folder.path, "lines");
    for (const line of ["a\n", "b\n"]) appendText(path, line);
    expect(readFolderText(path)).toBe("a\nb\n");
  });
});
