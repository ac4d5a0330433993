// One CSV from many run folders, and from the journal of the same runs.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import {
  assay,
  compile,
  inTurn,
  missing,
  peer,
  pythonHas,
  row,
  scratch,
  seconds,
} from "../support/measure.js";
import { makeFolders } from "./make-folders.js";

export default async function measure() {
  const plain = peer("aggregate/collect_plain.py");
  if (!plain) return [missing("collect", "../shared/peers is absent")];
  const dir = scratch("collect");
  const limit = compile(peer("aggregate/limit.c"), join(dir, "limit"));
  for (const script of ["collect_plain.py", "collect_pandas.py"])
    copyFileSync(peer(`aggregate/${script}`), join(dir, script));
  const rows = [];
  for (const [runs, repeats] of [
    [10_000, 5],
    [100_000, 3],
  ]) {
    const study = join(dir, `runs-${runs}`);
    makeFolders(study, runs);
    const csv = join(dir, "out.csv");
    const ours = (from) => () =>
      seconds(process.execPath, [assay, "collect", study, "--from", from, "--out-csv", csv]);
    const times = inTurn(repeats, {
      folders: ours("folders"),
      journal: ours("journal"),
      plain: () => seconds("python3", [join(dir, "collect_plain.py"), study, csv]),
      limit: () => seconds(limit, [study, csv]),
    });
    const name = `collect ${runs} folders`;
    if (runs === 10_000 && pythonHas("pandas")) {
      const pandas = seconds("/usr/bin/python3", [join(dir, "collect_pandas.py"), study, csv]);
      rows.push(row(name, times.folders, pandas, { rival: "pandas a file", most: 0.05 }));
    } else if (runs === 10_000) rows.push(missing(`${name} vs pandas`, "python3-pandas is not installed"));
    rows.push(row(name, times.folders, times.plain, { rival: "plain Python", most: 1 }));
    rows.push(row(name, times.folders, times.limit, { rival: "C, reading only", most: 4 }));
    rows.push(
      row(`collect ${runs} from the journal`, times.journal, times.folders, {
        rival: "our own from folders",
        most: 0.2,
      }),
    );
  }
  return rows;
}
