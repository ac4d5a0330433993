import { describe, expect, test } from "vitest";
import { readLost } from "../../src/executors/read-lost.ts";
import { TempFolder } from "../support/temp-folder.ts";

const running = JSON.stringify({ status: "running", start_time_unix_s: 1_700_000_000 });

describe("what a killed try had cost", () => {
  test("is what it wrote down as it went", () => {
    using folder = new TempFolder({ "meta.json": running, "out/spent.json": '{"costUsd":0.25}' });
    expect(readLost(folder.path)).toMatchObject({ reason: "it was killed", costUsd: 0.25 });
  });

  test("is unknown of a try that ended by itself, told nothing, or left something broken", () => {
    using ended = new TempFolder({ "meta.json": '{"status": "failed"}', "out/spent.json": '{"costUsd":1}' });
    using silent = new TempFolder({ "meta.json": running });
    using torn = new TempFolder({ "meta.json": running, "out/spent.json": '{"costU' });
    using odd = new TempFolder({ "meta.json": running, "out/spent.json": '{"costUsd":-1}' });
    for (const { path } of [ended, silent, torn, odd]) expect(readLost(path)).toBeUndefined();
  });
});
