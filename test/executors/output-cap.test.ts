import { statSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { OutputCap } from "../../src/executors/output-cap.ts";
import { TempFolder } from "../support/temp-folder.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the cap on output", () => {
  const LONG = "x".repeat(2_000_000);

  test("cuts a file while it is written, one byte past the cap so that sealing sees it", () => {
    using folder = new TempFolder({ "stdout.txt": LONG, "stderr.txt": "short" });
    const files = { stdout: `${folder.path}/stdout.txt`, stderr: `${folder.path}/stderr.txt` };
    const cap = new OutputCap(1000);
    cap.watch(files);
    vi.advanceTimersByTime(1000);
    expect([statSync(files.stdout).size, statSync(files.stderr).size]).toEqual([1001, 5]);
    cap.unwatch(files);
    folder.write("stdout.txt", LONG);
    vi.advanceTimersByTime(1000);
    expect(statSync(files.stdout).size).toBe(LONG.length);
    cap.close();
  });

  test("does not mind a file that is not there, and keeps nothing alive once closed", () => {
    const cap = new OutputCap(1000);
    cap.watch({ stdout: "/nowhere/a", stderr: "/nowhere/b" });
    vi.advanceTimersByTime(1000);
    cap.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});
