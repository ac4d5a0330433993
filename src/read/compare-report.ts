import { dirname } from "node:path";
import type { Compared } from "../analysis/compare/compare-arms.ts";
import type { MetricFacts } from "../design/metric.ts";
import { makeFolders, replaceFile } from "../host/files.ts";
import { type CompareWords, renderComparison } from "../reporters/compare-html.ts";
import { factsOf } from "./metric-info.ts";

/** Writes a comparison as one page that opens from disk. */
export async function writeComparison(path: string, compared: Compared, words: CompareWords): Promise<void> {
  const names = [...new Set(compared.comparisons.map(({ metric }) => metric))];
  const facts = await Promise.all(
    names.map(async (name): Promise<[string, MetricFacts]> => {
      const goal = compared.comparisons.find(({ metric }) => metric === name)?.goal ?? undefined;
      return [name, await factsOf(undefined, name, { goal })];
    }),
  );
  const known = new Map(facts);
  const page = renderComparison(compared, words, (metric) => known.get(metric)!);
  makeFolders(dirname(path));
  replaceFile(path, page);
}
