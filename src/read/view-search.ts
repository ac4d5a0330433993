import type { StudyAnswer } from "../analysis/answer.ts";
import type { Findings } from "../analysis/findings.ts";
import { analyseSearch } from "../analysis/search/analyse-search.ts";
import { pointTable } from "../analysis/search/point-table.ts";
import { searchWords } from "../analysis/search/search-words.ts";
import { shellWord } from "../core/escape.ts";
import { unitWords } from "../core/number-text.ts";
import type { Search } from "../core/space.ts";
import { designOf } from "../design/design.ts";
import { metricFacts } from "../design/metric.ts";
import { searchCharts } from "../reporters/charts/search-charts.ts";
import type { StudyView } from "../reporters/study-view.ts";
import { viewOf } from "../reporters/view-of.ts";
import { metricSources } from "./metric-info.ts";

/** More rows are no table that somebody reads; `assay best --top` has them. */
const MOST_POINTS = 20;

/** What the page shows of a search: its best points and how it went, not a table of hundreds of cells. */
export async function viewSearch(findings: Findings, search: Search, id: string): Promise<StudyView> {
  const { study, records, name } = findings;
  const sources = await metricSources(study);
  const factsOf = (metric: string) => metricFacts(metric, sources);
  const found = analyseSearch({ ...study.study, search, factsOf }, records);
  const metrics = search.objectives.map(({ metric, goal }) => ({ ...factsOf(metric), goal }));
  const words = searchWords(found, { name: shellWord(name), unit: unitWords(metrics[0]!.unit) });
  const answer: StudyAnswer = {
    ...{
      sentence: words.sentence,
      method: words.method,
      standing:
        study.study.search!.objectives.length > 0
          ? { status: "declared", why: "the study file named what is searched for" }
          : { status: "exploratory", why: "the study file did not name what is searched for" },
      verdict: "unknown",
    },
    ...{
      others: words.caution === "" ? [] : [words.caution],
      also: [],
      comparisons: [],
      leader: null,
      arms: [],
      warnings: [],
    },
  };
  const charts = searchCharts({ study: name, found, metrics });
  const source = { label: name, dir: "", study: { ...study.study, analysis: {} }, records };
  const design = { ...designOf([source], { isList: true }), baseline: null };
  const view = viewOf(findings, { id, answer, design, metric: metrics[0]!, charts });
  const { header, rows } = pointTable(found, MOST_POINTS);
  return {
    ...view,
    isSearch: true,
    warnings: [...found.warnings, ...view.warnings].sort(
      (a, b) => Number(a.level === "info") - Number(b.level === "info"),
    ),
    reproduce: [view.reproduce[0]!, `assay best ${shellWord(name)}`, `assay confirm ${shellWord(name)}`],
    cells: {
      ...{ header, rows, title: found.isFront ? "The Pareto front" : "Best points" },
      note: `${rows.length < found.best.length ? `The first ${rows.length} of ${found.best.length}. ` : ""}Chosen from ${found.chosenFrom} of ${found.points.length} points. Means over ${found.points[0]?.unit ?? "seed"}s with 95 % intervals, each of its point alone.`,
    },
  };
}
