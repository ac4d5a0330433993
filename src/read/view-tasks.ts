import { shownName } from "../core/stamp.ts";
import { rolloutTables } from "../reporters/solving-tables.ts";
import type { StudyView } from "../reporters/study-view.ts";
import { summariseRecords } from "./summarise-launch.ts";
import type { ReadStudy } from "./view-study.ts";

/** A page may have so many rows of tasks; `assay summarize --csv` has all. */
const MOST_ROWS = 500;

/** What the page shows of rollouts in place of a table of cells. */
export function viewRollouts(view: StudyView, { studyDir, study, records }: ReadStudy): StudyView {
  const { summary, title } = summariseRecords(studyDir, study, records);
  const { cells, tables = [] } = rolloutTables(summary);
  const command = `assay summarize ${title}`;
  return {
    ...view,
    name: shownName(studyDir, view.name),
    cells,
    tables: tables.map((table) =>
      table.rows.length <= MOST_ROWS
        ? table
        : {
            ...table,
            rows: table.rows.slice(0, MOST_ROWS),
            note: `The first ${MOST_ROWS} of ${table.rows.length} rows; \`${command} --csv\` has all. ${table.note ?? ""}`,
          },
    ),
    reproduce: [...view.reproduce, command],
  };
}
