import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { writeWandb } from "../../src/exporters/wandb-offline.ts";
import { aPublishedRun } from "../support/a-published-run.ts";
import { TempFolder } from "../support/temp-folder.ts";

/** The records of a log, put together from their pieces; every checksum is compared. */
function recordsIn(bytes: Buffer): Buffer[] {
  expect(bytes.subarray(0, 4).toString()).toBe(":W&B");
  const records: Buffer[] = [];
  let pieces: Buffer[] = [];
  for (let at = 7; at < bytes.length; ) {
    const left = 32_768 - (at % 32_768);
    if (left < 7) {
      at += left;
      continue;
    }
    const length = bytes.readUInt16LE(at + 4);
    const kind = bytes.readUInt8(at + 6);
    const piece = bytes.subarray(at + 7, at + 7 + length);
    expect(bytes.readUInt32LE(at)).toBe(crc32(piece, crc32(Buffer.from([kind]))));
    expect([1, 2].includes(kind)).toBe(pieces.length === 0);
    pieces.push(piece);
    if (kind === 1 || kind === 4) {
      records.push(Buffer.concat(pieces));
      pieces = [];
    }
    at += 7 + length;
  }
  expect(pieces).toEqual([]);
  return records;
}

function logOf(dir: string): string {
  const [folder] = readdirSync(dir);
  return `${dir}/${folder}/run-0123456789ab.wandb`;
}

describe("an offline run of W&B", () => {
  test("is written once, and again only when the run has changed, which makes it one to sync", () => {
    using folder = new TempFolder({ "note.txt": "hi" });
    const files = [{ name: "out/note.txt", path: `${folder.path}/note.txt` }];
    const dir = `${folder.path}/wandb`;
    expect(writeWandb([aPublishedRun({ files })], dir)).toMatchObject({ added: 1, changed: 0, known: 0 });
    const path = logOf(dir);
    writeFileSync(`${path}.synced`, "");
    expect(writeWandb([aPublishedRun({ files })], dir)).toMatchObject({ added: 0, changed: 0, known: 1 });
    expect(existsSync(`${path}.synced`)).toBe(true);
    expect(writeWandb([aPublishedRun({ files, metrics: { loss: 0.3 } })], dir)).toMatchObject({ changed: 1 });
    expect(existsSync(`${path}.synced`)).toBe(false);
    const again = aPublishedRun({ files, startedAtMs: Date.UTC(2026, 10, 19) });
    expect(writeWandb([again], dir)).toMatchObject({ added: 0, changed: 1 });
    expect(readdirSync(dir)).toEqual(["offline-run-20261118_000000-0123456789ab"]);
    expect(readFileSync(`${dir}/${readdirSync(dir)[0]}/files/out/note.txt`, "utf8")).toBe("hi");
  });

  test("keeps records whole across the blocks of its file, wherever a block ends", () => {
    for (let length = 32_400; length < 32_768; length += 23) {
      using folder = new TempFolder();
      const steps = [
        { step: 1, text: "x".repeat(length) },
        { step: 2, text: "y".repeat(70_000) },
        { step: 3 },
      ];
      writeWandb([aPublishedRun({ readSteps: () => steps })], `${folder.path}/w`);
      const records = recordsIn(readFileSync(logOf(`${folder.path}/w`)));
      // Header, run, three rows, summary, exit.
      expect(records).toHaveLength(7);
      expect(records[3]!.includes("y".repeat(70_000))).toBe(true);
    }
  });
});
