import { randomBytes } from "node:crypto";
import { createReadStream, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listEntries, packArchive, unpackArchive } from "../../../src/fleet/files/archive.ts";
import { packFitting } from "../../../src/fleet/files/pack-fitting.ts";
import { TempFolder } from "../../support/temp-folder.ts";

/** A name that no string of JavaScript can stand for. */
function writeLatin1(dir: string, name: string, text: string): void {
  mkdirSync(dir, { recursive: true });
  writeFileSync(Buffer.concat([Buffer.from(`${dir}/`), Buffer.from(name, "latin1")]), text);
}

async function sendAndReceive(folder: TempFolder, mostBytes = 1024 * 1024) {
  const archive = join(folder.path, "archive");
  const { omitted } = await packFitting(join(folder.path, "run"), archive, { mostBytes, why: "no room" });
  await unpackArchive(createReadStream(archive), join(folder.path, "here"));
  const { entries } = listEntries(join(folder.path, "here"));
  return { omitted, paths: entries.map(({ path }) => path) };
}

test("a file whose name is not UTF-8 is left out and named; its neighbours arrive", async () => {
  using folder = new TempFolder({ "run/out/cafe.txt": "good", "run/meta.json": "{}" });
  writeLatin1(join(folder.path, "run/out"), "caf\xe9.txt", "odd");
  writeLatin1(join(folder.path, "run/out/d"), "\xff", "odd");
  const { omitted, paths } = await sendAndReceive(folder);
  expect(paths).toEqual(["meta.json", "out/cafe.txt"]);
  expect(omitted).toEqual([
    { path: "out/caf\ufffd.txt", bytes: 3, why: "its name is not UTF-8: caf\\xe9.txt" },
    { path: "out/d/\ufffd", bytes: 3, why: "its name is not UTF-8: \\xff" },
  ]);
});

test("a file that vanishes after it was listed is left out and named", async () => {
  using folder = new TempFolder({ "run/a.txt": "a", "run/b.txt": "b", "run/c.txt": "c" });
  const dir = join(folder.path, "run");
  const { entries } = listEntries(dir);
  rmSync(join(dir, "b.txt"));
  const archive = join(folder.path, "archive");
  const { omitted } = (await packArchive(dir, entries, { archive }))!;
  expect(omitted).toEqual([{ path: "b.txt", bytes: 1, why: "it can't be read (ENOENT)" }]);
  await unpackArchive(createReadStream(archive), join(folder.path, "here"));
  expect(listEntries(join(folder.path, "here")).entries.map(({ path }) => path)).toEqual(["a.txt", "c.txt"]);
});

test("a file that can be opened and not read is left out and named", async () => {
  using folder = new TempFolder({ "run/a.txt": "a", "run/b.txt": "b" });
  const dir = join(folder.path, "run");
  const { entries } = listEntries(dir);
  rmSync(join(dir, "a.txt"));
  mkdirSync(join(dir, "a.txt"));
  const archive = join(folder.path, "archive");
  const { omitted } = (await packArchive(dir, entries, { archive }))!;
  expect(omitted).toEqual([{ path: "a.txt", bytes: 1, why: "it can't be read (EISDIR)" }]);
  await unpackArchive(createReadStream(archive), join(folder.path, "here"));
  expect(listEntries(join(folder.path, "here")).entries.map(({ path }) => path)).toEqual(["b.txt"]);
});

test("a file that has grown since it was listed arrives whole", async () => {
  using folder = new TempFolder({ "run/log.txt": "one\n" });
  const dir = join(folder.path, "run");
  const { entries } = listEntries(dir);
  writeFileSync(join(dir, "log.txt"), "one\ntwo\n");
  const archive = join(folder.path, "archive");
  await packArchive(dir, entries, { archive });
  await unpackArchive(createReadStream(archive), join(folder.path, "here"));
  expect(readFileSync(join(folder.path, "here/log.txt"), "utf8")).toBe("one\ntwo\n");
});

test("of hundreds of small files as many arrive as fit, the smallest first", async () => {
  using folder = new TempFolder({ "run/meta.json": "{}" });
  const noise = randomBytes(600 * 1024);
  for (let i = 0; i < 600; i++)
    folder.write(`run/out/${i}.bin`, noise.subarray(i * 1024, (i + 1) * 1024 - (i % 2)));
  const { omitted, paths } = await sendAndReceive(folder, 200_000);
  expect(paths).toContain("meta.json");
  expect(paths.length + omitted.length).toBe(601);
  // What is random can't be compressed: each file takes its own size and a little more.
  expect(paths.length).toBeGreaterThan(150);
  expect(paths.length).toBeLessThan(196);
  expect(paths.every((path) => path === "meta.json" || Number.parseInt(path.slice(4), 10) % 2 === 1)).toBe(
    true,
  );
});
