/** What runners print of the tests that passed, a line each; several runs add up. */
const RUNNERS: readonly RegExp[] = [
  // pytest: "=== 3 passed, 1 skipped in 0.12s ==="; -q leaves the frame out.
  /^(?:=+ )?(?:\d+ \w+, )*(\d+) passed(?:, \d+ \w+)* in [\d.]+ ?s/gm,
  // jest, vitest
  /^\s*Tests:?\s+(?:\d+ \w+[,|]? *\|? *)*?(\d+) passed/gm,
  // node:test, TAP
  /^(?:#|ℹ) pass (\d+)$/gm,
  // mocha
  /^\s+(\d+) passing\b/gm,
  // cargo
  /^test result: \w+\. (\d+) passed/gm,
  // Maven, Gradle
  /^(?:\[\w+\] )?Tests run: (\d+), Failures: 0, Errors: 0, Skipped: 0$/gm,
  // unittest
  /^Ran (\d+) tests? in [\d.]+s\s+OK\b/gm,
];
const GO = /^\s*--- PASS: /gm;

/** How many tests passed, by what their runner printed; null where no runner is known by its words. */
export function countPassed(output: string): number | null {
  const plain = output.replaceAll(/\u001b\[[\d;]*m/g, "");
  const counts = RUNNERS.flatMap((runner) => [...plain.matchAll(runner)].map(([, count]) => Number(count)));
  const go = [...plain.matchAll(GO)].length;
  if (counts.length === 0 && go === 0) return null;
  return counts.reduce((sum, count) => sum + count, go);
}
