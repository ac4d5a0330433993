import { openFamily } from "../core/family.ts";
import { html } from "./html.ts";
import { junit } from "./junit.ts";
import { markdown } from "./markdown.ts";
import type { Reporter } from "./reporter.ts";

/** report.json: the findings for other programs. */
const json: Reporter = {
  name: "json",
  description: "report.json, the findings for other programs",
  render({ findings: { records, study, ...findings }, data: { view }, pictures }) {
    const { environment, git, program, spec } = study;
    const content = {
      ...findings,
      answer: view.answer,
      goal: view.metric?.goal ?? null,
      unit: view.metric?.unit ?? null,
      runs: records.length,
      ...{ program, environment, git, specHash: spec.hash },
      charts: view.charts.map(({ id, title, kind }) => ({ id, title, kind })),
      pictures: pictures.map(({ path }) => path),
    };
    return [{ path: "report.json", content: `${JSON.stringify(content, null, 2)}\n` }];
  },
};

export const reporters: Readonly<Record<string, Reporter>> = openFamily<Reporter>("reporter", {
  ...{ html, markdown, json, junit },
});
