import { Columns } from "../archive/columns.ts";
import { flagColumns, rowOf } from "../archive/row.ts";
import { instancesIn } from "../archive/trajectories/instances.ts";
import type { InstanceRow } from "../core/instance.ts";
import { RUN_FILES, runDir } from "../core/study-folder.ts";
import { designOf } from "../design/design.ts";
import { kindAt } from "../host/held.ts";
import { readStudy } from "../read/view-study.ts";

/** A study for a notebook: its runs, each with its place in the design, which says what may be compared with what. */
export interface NotebookStudy {
  name: string;
  path: string;
  design: {
    /** What the arms differ in. */
    by: string[];
    arms: string[];
    baseline: string | null;
    /** What is drawn, and therefore counted: tasks, seeds. */
    unit: string;
    /** What pairs two arms; empty where nothing does. */
    pairs: string[];
  };
  /** The columns of runs.csv, and `arm`, `unit` and `pair`; null where a run is in no arm. */
  runs: Record<string, unknown>[];
  instances: (InstanceRow & { run_id: string; arm: string | null })[];
}

export async function notebookStudy(studyDir: string): Promise<NotebookStudy> {
  const { study, records } = await readStudy(studyDir);
  const design = designOf([{ label: study.name, dir: studyDir, study: study.study, records }]);
  const placed = new Map(design.runs.map((run) => [run.record.id, run]));
  const flags = flagColumns(study.study);
  const rows = records.map((record) => rowOf(record, studyDir, flags));
  const columns = new Columns();
  for (const row of rows) columns.learn(row);
  const { list, names } = columns;
  return {
    name: study.name,
    path: studyDir,
    design: {
      by: design.by,
      arms: design.arms.map(({ name }) => name),
      baseline: design.baseline,
      unit: design.unit,
      pairs: design.keys,
    },
    runs: rows.map((row, i) => {
      const place = placed.get(records[i]!.id);
      const cells = list.map(({ group, name }, k) => [names[k]!, row[group][name] ?? null]);
      return {
        ...Object.fromEntries(cells),
        ...{ arm: place?.arm ?? null, unit: place?.unit ?? null, pair: place?.pair ?? null },
      };
    }),
    instances: records.flatMap(({ id }) => {
      const out = `${runDir(studyDir, id)}/${RUN_FILES.out}`;
      const found = kindAt(out) === "a folder" ? instancesIn(out).rows : [];
      return found.map((row) => ({ run_id: id, arm: placed.get(id)?.arm ?? null, ...row }));
    }),
  };
}
