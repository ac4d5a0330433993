import { readFileSync, writeFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule } from "vitest/node";

const NONE = { passed: 0, failed: 0, skipped: 0 };

/**
 * Ends the test output with one line that counts: `N passed, N failed, N skipped`. Skips say why. Where
 * ASSAY_TEST_COUNTS names a file, what earlier runs of vitest counted there is added, so that the last line is about all.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const path = process.env.ASSAY_TEST_COUNTS;
    const counts = { ...NONE, ...(path && readCounts(path)) };
    counts.failed += errors.length;
    for (const module of modules) {
      const tests: TestCase[] = [...module.children.allTests()];
      if (tests.length === 0 && !module.ok()) counts.failed++;
      for (const test of tests) {
        const { state, note } = test.result() as { state: string; note?: string };
        if (state === "passed") counts.passed++;
        else if (state === "failed") counts.failed++;
        else {
          counts.skipped++;
          console.log(`skipped: ${test.fullName}${note ? ` (${note})` : ""}`);
        }
      }
    }
    if (path) writeFileSync(path, JSON.stringify(counts));
    console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  }
}

/** The file is empty before the first run. */
function readCounts(path: string): typeof NONE {
  return { ...NONE, ...(JSON.parse(readFileSync(path, "utf8") || "{}") as Partial<typeof NONE>) };
}
