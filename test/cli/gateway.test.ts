import { expect, test } from "vitest";
import { CallMetrics } from "../../src/cli/gateway.ts";
import { metricsText } from "../../src/core/open-metrics.ts";
import type { GatewayCall } from "../../src/gateway/call.ts";
import { parseMetrics } from "../support/parse-metrics.ts";

const call = (part: Partial<GatewayCall> = {}): GatewayCall => ({
  ...{ startedAtMs: 0, protocol: "openai-chat", model: "gpt-4o", status: 200, firstTokenMs: 1, wallMs: 500 },
  ...{ usage: { input: 10, cached: 5, output: 2, reasoning: 0 }, costUsd: 0.25, ...part },
});

test("a gateway's metrics count calls by how they ended, and parse", () => {
  const metrics = new CallMetrics();
  metrics.add(call());
  metrics.add(call({ isCached: true, costUsd: 0, saved: { wallMs: 9, costUsd: 0.25 } }));
  metrics.add(
    call({ status: 429, usage: null, costUsd: null, failure: { kind: "rate-limit", text: "full" } }),
  );
  for (let i = 0; i < 200; i++) metrics.add(call({ model: `made up ${i}` }));
  const read = parseMetrics(metricsText(metrics.families()));
  const value = (name: string, labels: Record<string, string>) =>
    read.find(
      (one) =>
        one.name === `assay_gateway_${name}_total` && JSON.stringify(one.labels) === JSON.stringify(labels),
    )?.value;
  const model = "gpt-4o";
  for (const result of ["ok", "cached", "rate-limit"]) expect(value("calls", { model, result })).toBe(1);
  expect(value("tokens", { model, kind: "input" })).toBe(10);
  expect(value("cost_usd", { model })).toBe(0.25);
  expect(value("saved_usd", { model })).toBe(0.25);
  expect(value("call_seconds", { model })).toBe(1);
  expect(value("calls", { model: "others", result: "ok" })).toBe(101);
});
