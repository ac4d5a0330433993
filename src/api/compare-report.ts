import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Compared } from "../analysis/compare/compare-arms.ts";
import type { MetricFacts } from "../analysis/report/metric-facts.ts";
import { type CompareWords, renderComparison } from "../reporters/compare-html.ts";
import { metricInfo } from "./metric-info.ts";

/** Writes a comparison as one page that opens from disk. */
export async function writeComparison(path: string, compared: Compared, words: CompareWords): Promise<void> {
  const names = [...new Set(compared.comparisons.map(({ metric }) => metric))];
  const facts = await Promise.all(
    names.map(async (name): Promise<[string, MetricFacts]> => {
      const { unit } = await metricInfo(undefined, name);
      return [
        name,
        { name, unit, goal: compared.comparisons.find(({ metric }) => metric === name)?.goal ?? null },
      ];
    }),
  );
  const known = new Map(facts);
  const page = renderComparison(compared, words, (metric) => known.get(metric)!);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.tmp`, page);
  renameSync(`${path}.tmp`, path);
}
