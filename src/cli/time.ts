import {
  hyperfineExport,
  type TimedCommand,
  type TimedCommands,
  timeCommands,
} from "../api/time-commands.ts";
import { UserError } from "../core/errors.ts";
import { durationText, plural } from "../core/number-text.ts";
import type { Params } from "../core/params.ts";
import { replaceFile } from "../host/files.ts";
import { printable, prose, styleFor, table } from "./terminal.ts";
import { readValues } from "./try.ts";

interface TimeCommand {
  prepare?: string;
  cleanup?: string;
  setup?: string;
  warmup: number;
  runs?: number;
  time: number;
  shell: string;
  ignoreFailure?: boolean;
  param?: string[];
  exportJson?: string;
  exportCsv?: string;
  exportMarkdown?: string;
  seed: number;
  json?: boolean;
}

const HEADER = ["command", "mean", "sd", "min", "max", "user", "system", "runs"];

/** Times command lines in turns, and says which is faster and how sure that is. */
export async function timeLines(lines: string[], options: TimeCommand): Promise<void> {
  const commands = withValues(lines, Object.fromEntries((options.param ?? []).map(readValues)));
  if (options.runs !== undefined && options.runs < 2)
    throw new UserError("--runs", {
      expected: "2 or more: one run shows no spread",
      got: String(options.runs),
    });
  const { shell, time: timeMs, ignoreFailure = false, ...rest } = options;
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once("SIGINT", interrupt);
  let timed: TimedCommands;
  try {
    timed = await timeCommands(commands, {
      ...rest,
      ...{ timeMs, ignoreFailure, shell: shell === "none" ? null : shell, signal: stop.signal },
    });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    process.exitCode = 130;
    return;
  } finally {
    process.off("SIGINT", interrupt);
  }
  const rows = rowsOf(timed);
  write(options.exportJson, () => `${JSON.stringify(hyperfineExport(timed), null, 2)}\n`);
  write(options.exportCsv, () => csvOf(timed));
  write(options.exportMarkdown, () => markdownOf(rows));
  if (options.json) console.log(JSON.stringify(timed));
  else print(timed, rows);
}

/** Every command with every combination of the values that stand in it. */
function withValues(lines: readonly string[], values: Record<string, unknown[]>): TimedCommand[] {
  const used = new Set<string>();
  const commands = lines.flatMap((line) => {
    let found: TimedCommand[] = [{ line, params: {} }];
    for (const [name, list] of Object.entries(values)) {
      if (!line.includes(`{${name}}`)) continue;
      used.add(name);
      found = found.flatMap((one) =>
        list.map((value) => ({
          line: one.line.replaceAll(`{${name}}`, String(value)),
          params: { ...one.params, [name]: value } as Params,
        })),
      );
    }
    return found;
  });
  const unused = Object.keys(values).find((name) => !used.has(name));
  if (unused !== undefined)
    throw new UserError(`no command uses ${unused}`, { remedy: `Write {${unused}} where its value goes.` });
  const twice = commands.find(({ line }, i) => commands.findIndex((other) => other.line === line) < i);
  if (twice) throw new UserError(`"${twice.line}" is there twice`, { expected: "different commands" });
  return commands;
}

function rowsOf({ commands }: TimedCommands): string[][] {
  const text = (seconds: number | null) => (seconds === null ? "unknown" : durationText(seconds * 1000));
  return commands.map(({ line, mean, stddev, min, max, user, system, times }) => [
    printable(line),
    ...[mean, stddev, min, max, user, system].map(text),
    String(times.length),
  ]);
}

function print({ compared, by, warnings, shellSeconds, commands }: TimedCommands, rows: string[][]): void {
  const style = styleFor(process.stdout);
  console.log(table(HEADER, rows));
  for (const { sentence } of compared?.comparisons ?? [])
    console.log(`\n${style.bold(prose(printable(sentence)))}`);
  const failed = commands.reduce(
    (count, { exitCodes }) => count + exitCodes.filter((code) => code !== 0).length,
    0,
  );
  const notes = [
    compared && by === "cpu"
      ? "Their processor time is compared (user and system), since they hardly wait: time in the queue for a core doesn't count."
      : "",
    compared?.comparisons[0]?.centre === "middle"
      ? "The middle half of the rounds counts: a slow run is the machine's more often than the command's."
      : "",
    shellSeconds > 0 ? `The shell's own ${durationText(shellSeconds * 1000)} are taken off each time.` : "",
    failed > 0 ? `${plural(failed, "run")} failed, and counted all the same.` : "",
  ];
  for (const note of notes.filter(Boolean)) console.log(style.dim(note));
  for (const { text } of warnings) console.log(style.yellow(prose(`note: ${printable(text)}`)));
}

function csvOf({ commands }: TimedCommands): string {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lines = commands.map(({ line, mean, stddev, median, user, system, min, max }) =>
    [quoted(line), mean, stddev ?? "", median, user ?? "", system ?? "", min, max].join(","),
  );
  return `command,mean,stddev,median,user,system,min,max\n${lines.join("\n")}\n`;
}

function markdownOf(rows: readonly string[][]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
  return line(HEADER) + line(HEADER.map((_, i) => (i === 0 ? "---" : "--:"))) + rows.map(line).join("");
}

function write(path: string | undefined, content: () => string): void {
  if (path !== undefined) replaceFile(path, content(), { isDurable: false });
}
