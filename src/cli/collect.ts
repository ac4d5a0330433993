import { extname, relative } from "node:path";
import type { TableFormat } from "../api/export-study.ts";
import { collect as collectRuns } from "../archive/collect.ts";
import { findStudy } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import { shellWord } from "../core/escape.ts";
import { plural } from "../core/number-text.ts";
import { suggestion } from "../core/suggest.ts";
import { replaceFile } from "../host/files.ts";
import { requireStudy } from "./read-option.ts";

interface ExportCommandOptions {
  from?: "journal" | "folders";
  out?: string;
  outRoot?: string;
  json?: boolean;
  format?: TableFormat | "json";
  table?: "runs" | "series" | "instances" | "all";
  /** A tool, and where it is to be found. */
  to?: string[];
  artifacts?: boolean;
}

/** A study's runs, series and instances as files for notebooks and spreadsheets. */
export async function collect(name: string | undefined, options: ExportCommandOptions): Promise<void> {
  if (options.to) return handOver(name, options.to, options);
  const studyDir = findStudy(requireStudy(name), options.outRoot);
  const format = formatOf(options);
  if (format === "json") return exportJson(studyDir, options);
  const { table = "runs" } = options;
  if (table === "all" && options.out !== undefined)
    throw new UserError("--out names one file, and --table all writes several", {
      remedy: "Leave --out away: they go to aggregate/ in the study's folder.",
    });
  if (format === "csv" && table === "runs") return collectCsv(studyDir, options);
  const { exportStudy, TABLES } = await import("../api/export-study.ts");
  const { tables, problems } = await exportStudy(studyDir, {
    format,
    tables: table === "all" ? TABLES : [table],
    ...(options.out !== undefined && { out: options.out }),
    ...(options.from && { from: options.from }),
  });
  if (options.json) console.log(JSON.stringify({ tables, problems }));
  else
    for (const { table: written, rows, path } of tables)
      console.log(`${plural(rows, "row")} of ${written} -> ${relative(process.cwd(), path)}`);
  for (const problem of problems.slice(0, 5)) process.stderr.write(`not read: ${problem}\n`);
  if (problems.length > 5) process.stderr.write(`and ${problems.length - 5} more\n`);
}

/** What --format says, else what the file is called. */
function formatOf({ format, out = "" }: ExportCommandOptions): TableFormat | "json" {
  return format ?? ENDINGS[extname(out).toLowerCase()] ?? "csv";
}

const ENDINGS: Record<string, TableFormat | "json"> = {
  ...{ ".json": "json", ".parquet": "parquet", ".pq": "parquet" },
  ...{ ".arrow": "arrow", ".ipc": "arrow", ".feather": "feather" },
};

/** Everything at once, with the design: what `assay.load` in Python reads. */
async function exportJson(studyDir: string, { out, table, from }: ExportCommandOptions): Promise<void> {
  if (table !== undefined || from !== undefined)
    throw new UserError("a JSON file holds all tables, from the journal", {
      remedy: "Leave --table and --from away, or choose --format csv.",
    });
  const { notebookStudy } = await import("../api/notebook-study.ts");
  const study = await notebookStudy(studyDir);
  if (out === undefined) console.log(JSON.stringify(study));
  else {
    replaceFile(out, `${JSON.stringify(study)}\n`, { isDurable: false });
    console.log(`${plural(study.runs.length, "run")} -> ${relative(process.cwd(), out)}`);
  }
}

async function collectCsv(studyDir: string, { from, out, json }: ExportCommandOptions): Promise<void> {
  const result = await collectRuns(studyDir, {
    ...(from && { from }),
    ...(out !== undefined && { outCsv: out }),
  });
  const { path, rows, from: source, unreadable } = result;
  if (json) console.log(JSON.stringify({ path, rows, from: source, unreadable }));
  else console.log(`${plural(rows, "row")} from the ${source} -> ${relative(process.cwd(), path)}`);
  if (unreadable.length > 0) {
    process.stderr.write(
      `${plural(unreadable.length, "folder")} without a readable meta.json: ${unreadable.slice(0, 5).join(", ")}\n`,
    );
  }
}

/** `--to mlflow URL`: to a tool that tracks experiments, as runs of its own. */
async function handOver(
  given: string | undefined,
  words: readonly string[],
  { outRoot, json, artifacts, out, format, table, from }: ExportCommandOptions,
): Promise<void> {
  const { publishStudy, TOOLS } = await import("../api/publish-study.ts");
  // `export --to mlflow URL fit`: the option takes all words that follow it.
  const [tool = "", ...rest] = words;
  const name = given ?? rest.pop();
  const known = TOOLS.find((one) => one === tool);
  if (!known)
    throw new UserError(`--to ${tool}`, {
      expected: `one of ${TOOLS.join(", ")}`,
      remedy: suggestion(tool, TOOLS),
    });
  if (rest.length > 1)
    throw new UserError(`--to ${words.join(" ")}`, {
      expected: `${tool} and one address`,
      remedy: `assay export STUDY --to ${tool} ADDRESS`,
    });
  const odd = Object.entries({ out, format, table, from }).find(([, value]) => value !== undefined);
  if (odd)
    throw new UserError(`--${odd[0]} has no meaning with --to, which takes whole runs`, {
      remedy: `Leave --${odd[0]} away.`,
    });
  const studyDir = findStudy(requireStudy(name), outRoot);
  const published = await publishStudy(studyDir, {
    tool: known,
    ...(rest[0] !== undefined && { address: rest[0] }),
    ...(artifacts === false && { hasFiles: false }),
  });
  if (json) {
    console.log(JSON.stringify(published));
    return;
  }
  const { place, added, changed, known: same, problems } = published;
  const news = [`${added} new`, changed > 0 && `${changed} changed`, same > 0 && `${same} there already`];
  const shown = /^https?:/.test(place) ? place : relative(process.cwd(), place) || ".";
  console.log(`${plural(added + changed + same, "run")} -> ${shown}: ${news.filter(Boolean).join(", ")}`);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (known === "wandb") console.log(`Next: wandb sync ${shellWord(shown)}`);
  else if (!/^https?:/.test(place))
    console.log(
      `Next: MLFLOW_ALLOW_FILE_STORE=true mlflow ui --backend-store-uri ${shellWord(shown)}   (MLflow 3 asks for the variable)`,
    );
}
