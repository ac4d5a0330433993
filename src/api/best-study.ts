import { analyseSearch, importanceOf, type SearchFindings } from "../analysis/search/analyse-search.ts";
import type { ParameterImportance } from "../analysis/search/importance.ts";
import { type SearchWords, searchWords } from "../analysis/search/search-words.ts";
import { currentRecords, findStudy, readStudyFile } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import { shellWord } from "../core/escape.ts";
import { unitWords } from "../core/number-text.ts";
import type { StudyFile } from "../core/study-folder.ts";
import { metricFacts } from "../design/metric.ts";
import { metricSources } from "../read/metric-info.ts";
import { type AskedGoal, metricNames, searchWithGoal } from "../read/search-goal.ts";
import type { Result } from "../stats/index.ts";

export interface BestOptions extends AskedGoal {
  outRoot?: string;
}

export interface BestStudy {
  studyDir: string;
  file: StudyFile;
  found: SearchFindings;
  words: SearchWords;
  /** Of the first objective. */
  importance: Result<{ parameters: ParameterImportance[]; explained: number }>;
}

/** What a search found: its points, best first, and how far they can be believed. Works while it runs. */
export async function bestStudy(name: string, { outRoot, ...asked }: BestOptions = {}): Promise<BestStudy> {
  const studyDir = findStudy(name, outRoot);
  const file = readStudyFile(studyDir);
  if (!file?.study.search)
    throw new UserError(`${name} is no search`, {
      expected: "a study whose file has search:",
      remedy: `\`assay rank ${shellWord(name)}\` ranks the arms of a matrix.`,
    });
  const records = currentRecords(studyDir);
  const search = await searchWithGoal(file, records, asked);
  if (!search)
    throw new UserError(`the study doesn't say what is best: ${name}`, {
      expected: `--metric and --goal${nameList(metricNames(records))}`,
      remedy: "Or name it in the study file: analysis: {metric: score, goal: maximize}.",
    });
  const sources = await metricSources(file);
  const facts = (metric: string) => metricFacts(metric, sources);
  const found = analyseSearch({ ...file.study, search, factsOf: facts }, records);
  const { unit } = facts(search.objectives[0]!.metric);
  const words = searchWords(found, { name: shellWord(name), unit: unitWords(unit) });
  return { studyDir, file, found, words, importance: importanceOf(found).importance };
}

function nameList(names: readonly string[]): string {
  return names.length === 0 ? "" : `, of ${names.slice(0, 12).join(", ")}`;
}
