import { appendFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readLines } from "../../../src/executors/slurm/batch-files.ts";
import { LineFollower } from "../../../src/executors/slurm/line-follower.ts";
import { TempFolder } from "../../support/temp-folder.ts";

test("each whole line of a growing file is read once, and a torn one waits for its rest, also within a letter", () => {
  using folder = new TempFolder();
  const path = `${folder.path}/lines.jsonl`;
  const follower = new LineFollower<{ a: string }>(path);
  expect(follower.next()).toEqual([]);
  const bytes = Buffer.from('{"a":"ä"}\n{"a":"ö"}\n');
  const cut = bytes.indexOf(Buffer.from("ö")) + 1;
  appendFileSync(path, bytes.subarray(0, cut));
  expect(follower.next()).toEqual([{ a: "ä" }]);
  expect(follower.next()).toEqual([]);
  appendFileSync(path, bytes.subarray(cut));
  expect(follower.next()).toEqual([{ a: "ö" }]);
});

test("what a crash left of a line is passed over", () => {
  using folder = new TempFolder({ "lines.jsonl": '{"a":1}\n{"a":\n{"a":2}\n{"a":' });
  expect(readLines(`${folder.path}/lines.jsonl`)).toEqual([{ a: 1 }, { a: 2 }]);
  expect(readLines(`${folder.path}/none.jsonl`)).toEqual([]);
});
