import { UserError } from "../core/errors.ts";
import { readJson } from "../host/files.ts";

/** One command of a hyperfine export: seconds of each run, and which ended well. */
export interface HyperfineResult {
  command: string;
  times: number[];
  exitCodes: (number | null)[];
}

/** Reads what `hyperfine --export-json` writes. */
export function readHyperfine(path: string): HyperfineResult[] {
  const results = readJson<{ results?: unknown } | null>(path)?.results;
  const isExport =
    Array.isArray(results) &&
    results.every(({ command, times }) => typeof command === "string" && Array.isArray(times));
  if (!isExport) {
    throw new UserError(path, {
      expected: "an export of hyperfine: results with a command and times",
      got: Array.isArray(results) ? "results without them" : "other JSON",
      remedy: "hyperfine keeps single times with --export-json.",
    });
  }
  return (results as Record<string, unknown>[]).map((result) => ({
    command: String(result.command),
    times: (result.times as unknown[]).map(Number),
    exitCodes: Array.isArray(result.exit_codes) ? (result.exit_codes as (number | null)[]) : [],
  }));
}
