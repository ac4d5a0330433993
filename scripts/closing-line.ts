import type { Reporter, TestCase, TestModule } from "vitest/node";

/** Ends the test output with one line that counts: `N passed, N failed, N skipped`. Skips say why. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
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
    console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  }
}
