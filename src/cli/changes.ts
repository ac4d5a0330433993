import { studyChanges } from "../api/study-changes.ts";
import { findStudy } from "../archive/read-records.ts";
import { plural } from "../core/number-text.ts";
import { printable, styleFor } from "./terminal.ts";

interface ChangesOptions {
  outRoot?: string;
  json?: boolean;
}

const MOST_LINES = 40;

export async function changes(name: string, paths: string[], options: ChangesOptions): Promise<void> {
  const found = studyChanges(findStudy(name, options.outRoot), paths);
  if (options.json) {
    console.log(JSON.stringify(found));
    return;
  }
  const style = styleFor(process.stdout);
  const { study, launchedAt, commit, wasDirty, commits, files, untracked } = found;
  const dirty = wasDirty ? ", with uncommitted changes (they are in study.json)" : "";
  console.log(`${style.bold(study)}: last ran ${launchedAt ?? "?"} at commit ${commit}${dirty}`);
  const where = paths.length > 0 ? ` in ${paths.join(" ")}` : "";
  if (commits.length + files.length === 0) console.log(`nothing has changed${where} since then`);
  list(`${plural(commits.length, "commit")}${where} since then:`, commits, ({ commit, subject }) =>
    [commit.slice(0, 12), subject].join("  "),
  );
  list(`${plural(files.length, "file")} changed${where}:`, files, ({ path, added, deleted }) =>
    added === null ? `${path}  binary` : `${path}  +${added} -${deleted}`,
  );
  list(`${plural(untracked.length, "path")} not in git, so not known:`, untracked, (path) => path);
}

function list<T>(title: string, items: T[], lineOf: (item: T) => string): void {
  if (items.length === 0) return;
  console.log(title);
  for (const item of items.slice(0, MOST_LINES)) console.log(`  ${printable(lineOf(item))}`);
  if (items.length > MOST_LINES) console.log(`  and ${items.length - MOST_LINES} more`);
}
