import { resolve } from "node:path";
import { type ImportRequest, type ImportSummary, importResults } from "../api/import-results.ts";
import { UserError } from "../core/errors.ts";
import { shellWord } from "../core/escape.ts";
import { prepareView } from "../read/kept-view.ts";
import { loadMember } from "../targets/load-plugins.ts";
import { printable, styleFor } from "./terminal.ts";

interface ImportFlags extends Omit<ImportRequest, "set"> {
  json?: boolean;
  set?: string[];
}

const MOST_WARNINGS = 20;

export async function importCommand(
  paths: string[],
  { json, set = [], ...request }: ImportFlags,
): Promise<void> {
  if (request.format !== undefined && /[/\\]|\.[cm]?[jt]s$/.test(request.format))
    request.format = (await loadMember("importer", resolve(request.format))).name;
  const summary = await importResults(paths, { ...request, set: Object.fromEntries(set.map(readSetting)) });
  await prepareView(resolve(summary.studyDir), summary.total);
  if (json) console.log(JSON.stringify(summary));
  else print(summary);
}

function readSetting(text: string): [name: string, value: string] {
  const [, name, value] = /^(\w+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new UserError("--set", { expected: "NAME=VALUE, such as model=gpt-5", got: text });
  return [name, value];
}

function print({
  name,
  studyDir,
  added,
  changed,
  known,
  total,
  missing,
  counted,
  formats,
  warnings,
}: ImportSummary): void {
  const style = styleFor(process.stdout);
  const warn = styleFor(process.stderr).bold("warning:");
  for (const { text } of warnings.slice(0, MOST_WARNINGS))
    process.stderr.write(`${warn} ${printable(text)}\n`);
  if (warnings.length > MOST_WARNINGS)
    process.stderr.write(`${warn} ${warnings.length - MOST_WARNINGS} more of them: see --json\n`);
  const kinds = Object.entries(formats).map(([format, count]) => `${count} of ${format}`);
  const news = [`${added} new`, changed > 0 && `${changed} changed`, known > 0 && `${known} known already`];
  console.log(`${style.bold(printable(name))}: ${news.filter(Boolean).join(", ")} (${kinds.join(", ")})`);
  console.log(
    `${total} trials in ${printable(studyDir)}, ${missing} of them without a ${"pytest-benchmark" in formats || "asv" in formats ? "result" : "verdict"}`,
  );
  if (counted > 0)
    console.log(
      `${counted} have no result and count as failed, as on a leaderboard (the label counted says why)`,
    );
  console.log(`\nassay report ${shellWord(studyDir)}`);
}
