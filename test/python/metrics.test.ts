import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { StudyMetrics } from "../../src/cli/metrics.ts";
import { metricsText } from "../../src/core/open-metrics.ts";
import { aRecord } from "../support/a-study.ts";
import { missingModules, python, whyNot } from "../support/python-packages.ts";

const PARSE = `
import json, sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
families = text_string_to_metric_families(sys.stdin.read())
print(json.dumps([[s.name, s.labels, s.value] for f in families for s in f.samples]))
`;

const missing = missingModules(["prometheus_client"]);
test.skipIf(missing.length > 0)(`Prometheus' own parser reads the metrics${whyNot(missing)}`, () => {
  const study = 'a "b" \\ c\nd';
  const metrics = new StudyMetrics(study);
  metrics.handle({ kind: "ended", record: aRecord({ costUsd: 0.25, metrics: { output_tokens: 3 } }) });
  const input = metricsText(metrics.families());
  const read = JSON.parse(execFileSync(python, ["-c", PARSE], { input, encoding: "utf8" }));
  expect(read).toContainEqual(["assay_runs_total", { study, status: "ok" }, 1]);
  expect(read).toContainEqual(["assay_cost_usd_total", { study }, 0.25]);
  expect(read).toContainEqual(["assay_tokens_total", { study, kind: "output" }, 3]);
});
