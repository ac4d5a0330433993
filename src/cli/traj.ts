import { closeSync, existsSync, openSync, writeSync } from "node:fs";
import { relative } from "node:path";
import { convertTrajectory } from "../api/convert-trajectory.ts";
import { type ReadRow, readTrajectories } from "../api/read-trajectories.ts";
import { findStudyIfAny } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import { csvCell } from "../core/escape.ts";
import { plural } from "../core/number-text.ts";
import { printable, styleFor } from "./terminal.ts";
import { fileTable, summaryLines } from "./traj-text.ts";

const BATCH_CHARS = 1 << 16;

const HEADER = [
  ...[
    "file",
    "format",
    "instance",
    "model",
    "exit",
    "category",
    "limit",
    "submitted",
    "empty_submission",
    "resolved",
  ],
  ...["turns", "calls", "input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens", "cost_usd"],
  ...["agent_cost_usd", "summary_cost_usd", "retry_cost_usd", "wall_ms", "model_ms", "tool_ms"],
  ...["cache_hit_rate", "avg_tokens_per_turn", "masked", "checkpoints", "problem"],
];

const TRAJECTORY_HEADER = HEADER.join(",");

interface TrajOptions {
  json?: boolean;
  table?: boolean;
  /** A file, or true for the terminal. */
  csv?: string | true;
  to?: string[];
  strict?: boolean;
  outRoot?: string;
}

/** This many files are listed by default, and this many broken ones named one by one. */
const MOST_LISTED = 40;
const MOST_BROKEN = 20;

/** What agents did: one row per trajectory, and what they come to together. */
export async function traj(words: string[], options: TrajOptions): Promise<void> {
  const paths = placesOf(words, options);
  if (options.to) return convert(paths, options.to);
  const { broken } = options.json
    ? writeJson(paths)
    : options.csv === true
      ? writeCsv(paths, (text) => process.stdout.write(text))
      : print(paths, options);
  if (options.strict && broken > 0) process.exitCode = 1;
}

/** Paths as they are; a word that is none may be a study's name. */
export function placesOf(words: readonly string[], { outRoot }: Pick<TrajOptions, "outRoot">): string[] {
  return words.map((word) => {
    const studyDir = existsSync(word) ? undefined : findStudyIfAny(word, outRoot);
    return studyDir === undefined ? word : relative(process.cwd(), studyDir);
  });
}

/** Row by row, so that the memory does not grow with the folder. */
function writeJson(paths: string[]) {
  const out = new BatchedWriter((text) => process.stdout.write(text));
  let comma = "";
  const summary = readTrajectories(paths, (row) => {
    out.add(`${comma === "" ? '{"files":[' : comma}${JSON.stringify(row)}`);
    comma = ",";
  });
  out.add(`],"summary":${JSON.stringify(summary)}}\n`);
  out.flush();
  return summary;
}

function writeCsv(paths: string[], write: (text: string) => void, onRow?: (row: ReadRow) => void) {
  const out = new BatchedWriter(write);
  out.add(`${TRAJECTORY_HEADER}\n`);
  const summary = readTrajectories(paths, (row) => {
    out.add(`${trajectoryLine(row)}\n`);
    onRow?.(row);
  });
  out.flush();
  return summary;
}

function print(paths: string[], { table, csv }: TrajOptions) {
  const most = table ? Number.POSITIVE_INFINITY : MOST_LISTED;
  const mostBroken = table ? Number.POSITIVE_INFINITY : MOST_BROKEN;
  const good: ReadRow[] = [];
  const bad: { file: string; problem: string }[] = [];
  const keep = (row: ReadRow) => {
    if ("problem" in row) bad.length < mostBroken && bad.push(row);
    else if (good.length <= most) good.push(row);
  };
  const summary = typeof csv === "string" ? toFile(csv, paths, keep) : readTrajectories(paths, keep);
  const { yellow, dim } = styleFor(process.stdout);
  const isListed = good.length > 0 && good.length <= most;
  if (isListed) console.log(`${fileTable(good)}\n${dim("- is unknown")}\n`);
  console.log(summaryLines(summary).join("\n"));
  for (const { file, problem } of bad)
    console.log(yellow(`broken: ${printable(file)}: ${printable(problem)}`));
  if (summary.broken > bad.length)
    console.log(`... and ${plural(summary.broken - bad.length, "broken file")} more (--table lists all)`);
  if (!isListed && good.length > 0)
    console.log(dim("One row per file: --table; all numbers: --json, --csv FILE."));
  if (typeof csv === "string") console.log(`\nCSV: ${csv}`);
  return summary;
}

function toFile(path: string, paths: string[], onRow: (row: ReadRow) => void) {
  const file = openSync(path, "w");
  try {
    return writeCsv(paths, (text) => writeSync(file, text), onRow);
  } finally {
    closeSync(file);
  }
}

function convert(paths: string[], to: string[]): void {
  const [format, file] = to;
  if (to.length !== 2 || paths.length !== 1 || (format !== "atif" && format !== "swe-agent"))
    throw new UserError("--to", {
      expected: "one trajectory, and behind it --to atif FILE or --to swe-agent FILE",
      got: `${plural(paths.length, "path")} and --to ${to.join(" ")}`,
    });
  const { turns } = convertTrajectory(paths[0]!, { to: format, file: file! });
  console.log(`${plural(turns, "turn")} written to ${file}`);
}

/** One file, also a broken one; an empty cell is unknown. */
function trajectoryLine(row: ReadRow): string {
  return cellsOf(row).map(csvCell).join(",");
}

function cellsOf(row: ReadRow): unknown[] {
  if ("problem" in row) return [row.file, ...HEADER.slice(2).map(() => null), row.problem];
  const { tokens, parts } = row;
  return [
    ...[row.file, row.format, row.instance, row.model, row.exit, row.category, row.limit],
    ...[row.isSubmitted, row.isEmpty, row.isResolved, row.turns, row.calls],
    ...[tokens.input, tokens.cached, tokens.output, tokens.reasoning, row.costUsd],
    ...[parts.agent?.costUsd, parts.summary?.costUsd, parts.retry?.costUsd],
    ...[row.wallMs, row.modelMs, row.toolMs, row.cacheHitRate, row.avgTokensPerTurn],
    ...[row.masked, row.checkpoints, null],
  ];
}

/** Many small texts in few writes. */
class BatchedWriter {
  readonly #write: (text: string) => void;
  #parts: string[] = [];
  #chars = 0;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  add(text: string): void {
    this.#parts.push(text);
    this.#chars += text.length;
    if (this.#chars >= BATCH_CHARS) this.flush();
  }

  flush(): void {
    if (this.#parts.length > 0) this.#write(this.#parts.join(""));
    this.#parts = [];
    this.#chars = 0;
  }
}
