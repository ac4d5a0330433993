import { describe, expect, test } from "vitest";
import { whyBroken } from "../../../../src/targets/coding/grading/run-test.ts";

const ask = (exitCode: number | null, output: string, ended?: "timeout" | "memory") =>
  whyBroken({
    result: { exitCode, wallMs: 1, omittedBytes: 0, ...(ended && { ended }) },
    output,
    repo: "/w/repo",
  });

describe("a test script", () => {
  test.each([
    [127, "test.sh: 2: pytest: not found", "pytest could not be started (exit 127)"],
    [127, "test.sh: line 2: pytest: command not found", "pytest could not be started (exit 127)"],
    [127, "/usr/bin/env: ‘python9’: No such file or directory", "python9 could not be started (exit 127)"],
    [126, "test.sh: 1: /opt/tool: Permission denied", "/opt/tool could not be started (exit 126)"],
    [127, "", "a program could not be started (exit 127)"],
    [1, "/usr/bin/python3: No module named pytest\n", "pytest is not installed"],
    [3, "INTERNALERROR> Traceback", "pytest broke (exit 3)"],
    [
      4,
      "ERROR: file or directory not found: tests/x.py\n\nno tests ran",
      "pytest was called wrongly or could not collect it (exit 4)",
    ],
    [5, "collected 0 items\n", "pytest found no tests (exit 5)"],
  ])("that ends with %s and %j could not run", (code, output, reason) => {
    expect(ask(code, output)?.reason).toBe(reason);
  });

  test.each([
    [0, "pytest: not found"],
    [1, "AssertionError: expected 1"],
    [2, "1 error during collection"],
    [3, "three lamps are dark"],
    [5, "exit five"],
    [127, "test.sh: 1: ./build/lamp: not found"],
    [127, "test.sh: 3: /w/repo/lamp: not found"],
    [1, "ModuleNotFoundError: No module named 'lamp'"],
  ])("that ends with %s and %j ran", (code, output) => {
    expect(ask(code, output)).toBeUndefined();
  });

  test("that could not be collected, or is past its time, may be so by the patch; a missing program is not", () => {
    expect(ask(4, "ERROR: not found: tests/x.py")?.mayBePatch).toBe(true);
    expect(ask(null, "", "timeout")?.mayBePatch).toBe(true);
    expect(ask(127, "test.sh: 2: pytest: not found")?.mayBePatch).toBe(false);
  });

  test("past its time could not run; one past its memory ran", () => {
    expect(ask(null, "", "timeout")?.reason).toContain("its time was up");
    expect(ask(null, "", "memory")).toBeUndefined();
    expect(ask(null, "")).toBeUndefined();
  });
});
