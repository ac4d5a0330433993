import { expect, test } from "vitest";
import { countPassed } from "../../../../src/targets/coding/grading/suspect-patch.ts";

test.each([
  ["pytest", "======= 3 passed, 1 skipped in 0.12s =======", 3],
  ["pytest -q", "1 failed, 12 passed in 1.02s", 12],
  [
    "pytest in colours",
    "\u001b[32m== \u001b[32m\u001b[1m4 passed\u001b[0m\u001b[32m in 0.01s\u001b[0m ==",
    4,
  ],
  ["jest", "Tests:       1 failed, 7 passed, 8 total", 7],
  ["vitest", "      Tests  2 passed (2)", 2],
  ["node:test", "# tests 5\n# pass 5\n# fail 0", 5],
  ["mocha", "  9 passing (20ms)", 9],
  ["cargo, twice", "test result: ok. 3 passed; 0 failed\ntest result: ok. 4 passed; 0 failed", 7],
  ["unittest", "Ran 6 tests in 0.001s\n\nOK", 6],
  ["unittest that failed", "Ran 6 tests in 0.001s\n\nFAILED (failures=1)", null],
  ["go", "--- PASS: TestA (0.00s)\n    --- PASS: TestA/b (0.00s)", 2],
  ["nothing known", "3 of 4 are well", null],
])("counts what %s says has passed", (_, output, passed) => {
  expect(countPassed(output)).toBe(passed);
});
