import { symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readReward } from "../../../../src/targets/coding/grading/read-reward.ts";
import { TempFolder } from "../../../support/temp-folder.ts";

const read = (files: Record<string, string>) => {
  using folder = new TempFolder({ "verifier/x": "", ...files });
  return readReward(folder.path);
};

describe("a reward", () => {
  test.each([
    [{ "verifier/reward.txt": "0.5\n" }, 0.5],
    [{ "verifier/reward.txt": "1" }, 1],
    [{ "verifier/reward.json": '{"reward": 0.75, "speed": 9}' }, 0.75],
    [{ "verifier/reward.json": '{"a": 1, "b": 0}' }, 0.5],
  ])("in %j is %s", (files, value) => {
    expect(read(files as Record<string, string>).value).toBe(value);
  });

  test("beside others keeps them, and one out of range is told", () => {
    expect(read({ "verifier/reward.json": '{"reward": 1, "speed": 9}' }).others).toEqual({ speed: 9 });
    expect(read({ "verifier/reward.txt": "7" })).toMatchObject({
      value: 1,
      warnings: [expect.stringContaining("7")],
    });
  });

  test.each([
    [{}],
    [{ "verifier/reward.txt": "" }],
    [{ "verifier/reward.txt": "NaN" }],
    [{ "verifier/reward.json": "{}" }],
    [{ "verifier/reward.json": "{" }],
  ])("in %j is none", (files) => {
    expect(() => read(files as Record<string, string>)).toThrow(/reward/);
  });

  test("behind a link is none", () => {
    using folder = new TempFolder({ elsewhere: "1", "verifier/x": "" });
    symlinkSync(`${folder.path}/elsewhere`, `${folder.path}/verifier/reward.txt`);
    expect(() => readReward(folder.path)).toThrow("left no reward");
  });
});
