import { nearest } from "assay/plugin";
import type { z } from "zod";
import type { Services, TierParams } from "./params.ts";
import { isPolicyPath, policies } from "./policies.ts";

const MOST_NODES = 20_000_000;

/** The part of the parameters that only makes sense together. */
interface Joint {
  workflows: number;
  pdfs: number;
  subqueries: number;
  policy: string;
  tiers: TierParams[];
  budget_usd: number | null;
  stop: { coverage: number; confidence: number; early_coverage: number; early_confidence: number };
  service: Services;
  shape: "research" | "single_call";
}

/** Finds what no single parameter can show. A message says what was expected, as zod's own do. */
export function checkTogether(params: Joint, context: z.core.$RefinementCtx): void {
  const report: Report = (path, message) => context.addIssue({ code: "custom", path, message });
  if (!isPolicyPath(params.policy) && !policies.has(params.policy)) {
    const [best] = nearest(params.policy, policies.keys(), 1);
    const hint = best ? `did you mean "${best}"?` : [...policies.keys()].join(", ");
    report(["policy"], `a known policy (${hint}) or the path of a file`);
  }
  checkTiers(params, report);
  checkStop(params, report);
  for (const [type, service] of Object.entries(params.service)) {
    if (service.dist === "uniform" && service.low_ms > service.high_ms) {
      report(["service", type, "low_ms"], `at most high_ms (${service.high_ms})`);
    }
  }
  const nodes = params.shape === "research" ? 3 + params.pdfs * (3 + 2 * params.subqueries) : 1;
  const most = Math.floor(MOST_NODES / nodes);
  if (params.workflows > most) {
    report(["workflows"], `at most ${most} workflows of ${nodes} steps each, which is what fits in memory`);
  }
}

type Report = (path: (string | number)[], message: string) => void;

function checkTiers({ tiers, shape, budget_usd }: Joint, report: Report): void {
  const seen = new Set<string>();
  tiers.forEach(({ provider, tier_id }, index) => {
    const name = `${provider} tier ${tier_id}`;
    if (seen.has(name)) report(["tiers", index, "tier_id"], `a tier_id of its own: ${name} is there twice`);
    seen.add(name);
  });
  const needed = shape === "research" ? ["llm_provider", "embed_provider"] : ["llm_provider"];
  for (const provider of needed) {
    if (!tiers.some((tier) => tier.provider === provider)) {
      report(["tiers"], `at least one tier of ${provider}, or its calls could never run`);
    }
  }
  const prices = tiers.filter((tier) => tier.provider === "llm_provider").map((tier) => tier.price_usd);
  const least = Math.min(...prices);
  if (budget_usd !== null && prices.length > 0 && budget_usd < least) {
    report(
      ["budget_usd"],
      `at least ${least}, the price of the cheapest llm_provider call, or null for no limit`,
    );
  }
}

function checkStop({ stop }: Joint, report: Report): void {
  for (const name of ["coverage", "confidence"] as const) {
    if (stop[`early_${name}`] > stop[name]) {
      report(["stop", `early_${name}`], `at most ${name} (${stop[name]}), or it would never apply`);
    }
  }
}
