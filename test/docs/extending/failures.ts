import type { Reporter } from "../../../src/reporters/reporter.ts";

/** failures.txt: one line per failed run. */
export const failures: Reporter = {
  name: "failures",
  description: "failures.txt, one line per failed run",
  render({ findings }) {
    const lines = findings.failures.flatMap(({ owner, runs }) =>
      runs.map(({ id, reason }) => `${owner}\t${id}\t${reason.replaceAll(/\s+/g, " ")}\n`),
    );
    return [{ path: "failures.txt", content: lines.join("") }];
  },
};
