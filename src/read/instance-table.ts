import { instanceRow } from "../analysis/instances/instance-table.ts";
import { instancesIn } from "../archive/trajectories/instances.ts";
import { shellWord } from "../core/escape.ts";
import type { InstanceRow } from "../core/instance.ts";
import { numberText } from "../core/number-text.ts";
import type { RunRecord } from "../core/run.ts";
import { RUN_FILES, runDir } from "../core/study-folder.ts";
import { runNamer } from "../design/run-name.ts";
import { kindAt } from "../host/held.ts";
import type { TableView } from "../reporters/study-view.ts";
import type { ReadStudy } from "./view-study.ts";

/** A page may have so many rows of instances; `assay export` has all. */
const MOST_ROWS = 200;

/** What agents did on each instance, one row each, from which the run can be reached; undefined where no run has any. */
export function instanceTable({
  studyDir,
  study,
  records,
}: Pick<ReadStudy, "studyDir" | "study" | "records">): TableView | undefined {
  // Arms stand side by side: all tries at an instance, then the next one.
  const own = records
    .filter(({ metrics }) => typeof metrics.n_instances === "number")
    .sort((a, b) => (a.task ?? "").localeCompare(b.task ?? "", "en"));
  const found: { record: RunRecord; row: InstanceRow }[] = [];
  for (const record of own) {
    if (found.length >= MOST_ROWS) break;
    for (const row of rowsOf(studyDir, record)) found.push({ record, row });
  }
  if (found.length === 0) return undefined;
  const shown = found.slice(0, MOST_ROWS);
  const columns = (Object.keys(shown[0]!.row) as (keyof InstanceRow)[]).filter(
    (name) => ALWAYS.includes(name) || shown.some(({ row }) => row[name] !== null && row[name] !== 0),
  );
  const nameOf = runNamer(study.study);
  const header = [...columns, "run"];
  const ids = shown.map(({ record }) => record.id);
  const all = own.reduce((sum, { metrics }) => sum + metrics.n_instances!, 0);
  const which = all > shown.length ? `The first ${shown.length} of ${all}` : `All ${shown.length}`;
  return {
    title: "Instances",
    note: `${which}, each with its run. Tokens and calls of the agent and of its summariser are apart; what is nowhere known has no column. \`assay export ${shellWord(study.name)} --table instances\` has them all.`,
    header,
    rows: shown.map(({ record, row }) => [
      ...columns.map((name) => cellText(row[name])),
      nameOf(record) || record.id,
    ]),
    links: { 0: ids, [header.length - 1]: ids },
  };
}

const ALWAYS: readonly (keyof InstanceRow)[] = ["instance_id", "exit_status", "submitted"];

/** The record says it where a run is one task; of several instances only what they left tells. */
function rowsOf(studyDir: string, record: RunRecord): InstanceRow[] {
  if (record.task !== null && record.metrics.n_instances === 1) return [instanceRow(record)];
  const out = `${runDir(studyDir, record.id)}/${RUN_FILES.out}`;
  return kindAt(out) === "a folder" ? instancesIn(out).rows : [];
}

function cellText(value: string | number | boolean | null): string {
  if (value === null) return "";
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : numberText(value);
  return typeof value === "boolean" ? (value ? "yes" : "no") : value;
}
