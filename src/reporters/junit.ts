import { fixedText } from "../core/number-text.ts";
import type { RunRecord } from "../core/run.ts";
import type { Reporter } from "./reporter.ts";
import { textOf } from "./view-of.ts";

/** junit.xml: a test case a run, for CI pages that show such files. */
export const junit: Reporter = {
  name: "junit",
  description: "junit.xml, a test case a run, for CI",
  render({ findings: { records, name } }) {
    const count = (kind: Verdict) => records.filter((record) => verdictOf(record) === kind).length;
    const time = records.reduce((total, { wallMs }) => total + seconds(wallMs), 0);
    const totals = `tests="${records.length}" failures="${count("failure")}" errors="${count("error")}" skipped="${count("skipped")}" time="${fixedText(time, 3)}"`;
    const cases = records.map((record) => caseOf(record, name)).join("");
    const suite = `<testsuite name="${escapeXml(name)}" ${totals}>\n${cases}</testsuite>`;
    const content = `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${escapeXml(name)}" ${totals}>\n${suite}\n</testsuites>\n`;
    return [{ path: "junit.xml", content }];
  },
};

type Verdict = "passed" | "failure" | "error" | "skipped";

/** What is measured failed: a failure. Something around it did: an error, as test runners have it. */
function verdictOf({ outcome: { status, owner } }: RunRecord): Verdict {
  if (status === "ok") return "passed";
  if (status === "cancelled" || status === "skipped") return "skipped";
  return owner === "infrastructure" || owner === "grader" ? "error" : "failure";
}

function caseOf(record: RunRecord, study: string): string {
  const { id, outcome, wallMs, params, variant, seed, metrics } = record;
  const verdict = verdictOf(record);
  const facts: [string, unknown][] = [
    ...Object.entries(params).map(([name, value]): [string, unknown] => [`param.${name}`, value]),
    ["variant", variant],
    ["seed", seed],
    ...Object.entries(metrics).map(([name, value]): [string, unknown] => [`metric.${name}`, value]),
  ];
  const properties = facts
    .map(
      ([name, value]) => `      <property name="${escapeXml(name)}" value="${escapeXml(textOf(value))}"/>\n`,
    )
    .join("");
  const message = escapeXml(outcome.reason ?? outcome.status);
  const type = escapeXml(outcome.owner ?? outcome.status);
  const body =
    verdict === "passed"
      ? ""
      : verdict === "skipped"
        ? `    <skipped message="${message}"/>\n`
        : `    <${verdict} type="${type}" message="${message}">${message}</${verdict}>\n`;
  return `  <testcase classname="${escapeXml(study)}" name="${escapeXml(id)}" time="${fixedText(seconds(wallMs), 3)}">\n    <properties>\n${properties}    </properties>\n${body}  </testcase>\n`;
}

function seconds(wallMs: number): number {
  return Number.isFinite(wallMs) ? wallMs / 1000 : 0;
}

const LONE_SURROGATES = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** XML 1.0 has no way to say most control characters, nor half a surrogate pair. */
function escapeXml(text: string): string {
  return text
    .replaceAll(LONE_SURROGATES, "�")
    .replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "�")
    .replaceAll(/[&<>"'\n\r\t]/g, (character) => `&#${character.charCodeAt(0)};`);
}
