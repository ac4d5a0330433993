import type { Reporter } from "./reporter.ts";

/** report.json: the findings for other programs. */
export const json: Reporter = {
  name: "json",
  description: "report.json, the findings for other programs",
  render({ records, study, ...findings }) {
    const { environment, git, program, spec } = study;
    const content = { ...findings, runs: records.length, program, environment, git, specHash: spec.hash };
    return [{ path: "report.json", content: `${JSON.stringify(content, null, 2)}\n` }];
  },
};
