import { afterEach, expect, test, vi } from "vitest";
import type { TestModule } from "vitest/node";
import ClosingLine from "../../scripts/closing-line.ts";
import { TempFolder } from "../support/temp-folder.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** A file of tests that ended so. */
function aModule(states: string[]): TestModule {
  const tests = states.map((state) => ({ fullName: `a test that is ${state}`, result: () => ({ state }) }));
  return { children: { allTests: () => tests }, ok: () => true } as unknown as TestModule;
}

function lastLine(modules: TestModule[], errors: unknown[] = []): string {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  new ClosingLine().onTestRunEnd(modules, errors);
  return String(log.mock.lastCall![0]).trim();
}

test("the last line of the tests counts them, and errors outside of tests as failures", () => {
  vi.stubEnv("ASSAY_TEST_COUNTS", undefined);
  const modules = [aModule(["passed", "failed"]), aModule(["passed", "skipped"])];
  expect(lastLine(modules, [new Error("outside")])).toBe("2 passed, 2 failed, 1 skipped");
});

test("the last line of CI counts the tests of all its parts", () => {
  using folder = new TempFolder();
  vi.stubEnv("ASSAY_TEST_COUNTS", folder.write("counts.json", ""));
  expect(lastLine([aModule(["passed", "failed"])])).toBe("1 passed, 1 failed, 0 skipped");
  expect(lastLine([aModule(["passed", "skipped"])])).toBe("2 passed, 1 failed, 1 skipped");
  expect(JSON.parse(folder.read("counts.json"))).toEqual({ passed: 2, failed: 1, skipped: 1 });
});
