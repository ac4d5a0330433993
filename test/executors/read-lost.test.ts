import { utimesSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readLost } from "../../src/executors/read-lost.ts";
import { TempFolder } from "../support/temp-folder.ts";

const STARTED_S = 1_700_000_000;
const running = JSON.stringify({ status: "running", start_time_unix_s: STARTED_S });

/** All of them written so many seconds after the start. */
function writtenAt(folder: TempFolder, seconds: number, ...paths: string[]): void {
  for (const path of paths) utimesSync(`${folder.path}/${path}`, STARTED_S + seconds, STARTED_S + seconds);
}

describe("what is known of a killed try", () => {
  test("is what it had spent, and how long it had shown that it lives", () => {
    using folder = new TempFolder({
      "meta.json": running,
      "stdout.txt": "",
      "out/spent.json": '{"costUsd":0.25}',
    });
    writtenAt(folder, 20, "stdout.txt");
    writtenAt(folder, 30, "out/spent.json");
    expect(readLost(folder.path)).toEqual({ reason: "it was killed", costUsd: 0.25, wallMs: 30_000 });
  });

  test("has no cost where it told of none, and lasts as long as who ran it was seen", () => {
    using silent = new TempFolder({ "meta.json": running, "stdout.txt": "" });
    writtenAt(silent, 1, "stdout.txt");
    const lastSeenMs = (STARTED_S + 60) * 1000;
    expect(readLost(silent.path, lastSeenMs)).toEqual({ reason: "it was killed", wallMs: 60_000 });
    for (const text of ['{"costU', '{"costUsd":-1}']) {
      using odd = new TempFolder({ "meta.json": running, "out/spent.json": text });
      expect(readLost(odd.path)).not.toHaveProperty("costUsd");
    }
  });

  test("counts one that began so shortly before that nothing says so but its output", () => {
    using folder = new TempFolder({ "stdout.txt": "", "out/metrics.json": '{"cost_usd": 0.5}' });
    expect(readLost(folder.path)).toMatchObject({ reason: "it was killed", costUsd: 0.5 });
  });

  test("is nothing of a try that ended by itself, or had not begun", () => {
    using ended = new TempFolder({ "meta.json": '{"status": "failed"}', "out/spent.json": '{"costUsd":1}' });
    using ready = new TempFolder({ "out/config.json": "{}" });
    for (const { path } of [ended, ready]) expect(readLost(path)).toBeUndefined();
  });
});
