import type { Findings } from "../analysis/findings.ts";
import { durationText, usdText } from "../core/number-text.ts";
import type { RunRecord } from "../core/run.ts";
import { textOf } from "./cell-table.ts";
import type { Fact } from "./study-view.ts";

const MOST_VALUES = 12;

/** What somebody needs to do it again. */
export function factsOf(study: Findings["study"]): Fact[] {
  const { environment, git, spec, program, launches, packages } = study;
  const commit = git
    ? `${String(git.commit).slice(0, 12)} on ${git.branch}${git.dirty ? ", with uncommitted changes" : ""}`
    : "not in a git checkout";
  const version = Object.hasOwn(packages, "assay") ? `Assay ${packages.assay}, ` : "";
  return [
    { label: "Program", value: program },
    { label: "Study file", value: `${spec.path} (${spec.dialect}, sha256 ${spec.hash.slice(0, 12)})` },
    ...(study.study.notes ? [{ label: "Notes", value: study.study.notes }] : []),
    { label: "Git", value: commit },
    {
      label: "Machine",
      value: `${environment.cpu}, ${environment.cores} cores, ${environment.os}, ${version}Node ${environment.node}`,
    },
    { label: "Last launch", value: `${launches.at(-1)?.at ?? "unknown"}: ${launches.at(-1)?.command ?? ""}` },
  ];
}

/** What was varied, how often, and how it went: the head of a report. */
export function summaryOf({ study: file, records, counts, failures }: Findings): Fact[] {
  const { study } = file;
  const done = `${counts.ok} of ${counts.total} succeeded`;
  const rest = [
    counts.stopped > 0 && `${counts.stopped} stopped early`,
    counts.failed > 0 && `${counts.failed} failed`,
    counts.cancelled > 0 && `${counts.cancelled} cancelled`,
    counts.missing > 0 && `${counts.missing} not done yet`,
  ].filter(Boolean);
  const facts: Fact[] = [{ label: "Runs", value: [done, ...rest].join(", ") }];
  for (const { names, rows } of study.axes) {
    for (const [column, name] of names.entries())
      facts.push({ label: name, value: listOf([...new Set(rows.map((row) => textOf(row[column])))]) });
  }
  if (study.variants.length > 1)
    facts.push({ label: "Variants", value: listOf(study.variants.map(({ name }) => name)) });
  facts.push({ label: "Seeds", value: `${study.seeds.length} (${listOf(study.seeds.map(String))})` });
  if (study.repeats.measured > 1) facts.push({ label: "Repeats", value: String(study.repeats.measured) });
  const tasks = new Set(records.flatMap(({ task }) => (task === null ? [] : [task])));
  if (tasks.size > 0) facts.push({ label: "Tasks", value: String(tasks.size) });
  if (failures.length > 0)
    facts.push({
      label: "Failures by owner",
      value: failures.map(({ owner, runs }) => `${owner}: ${runs.length}`).join(", "),
    });
  return [...facts, ...spent(records)];
}

function spent(records: readonly RunRecord[]): Fact[] {
  const wallMs = records.reduce(
    (total, record) => total + (Number.isFinite(record.wallMs) ? record.wallMs : 0),
    0,
  );
  const costs = records.flatMap(({ costUsd }) => (costUsd === undefined ? [] : [costUsd]));
  const facts: Fact[] = [{ label: "Time in runs", value: durationText(wallMs) }];
  if (costs.length > 0) facts.push({ label: "Cost", value: usdText(costs.reduce((a, b) => a + b, 0)) });
  return facts;
}

function listOf(words: readonly string[]): string {
  if (words.length <= MOST_VALUES) return words.join(", ");
  return `${words.slice(0, MOST_VALUES).join(", ")} and ${words.length - MOST_VALUES} more`;
}
