import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { RUN_FILES } from "../core/study-folder.ts";
import { readJsonIfAny } from "../host/files.ts";
import { kindAt } from "../host/held.ts";

/** After these a run has a result: what comes then is measured anew. */
const RESULTS = ["ok", "stopped"];
const HAS_STEP = /"_?step"\s*:\s*-?\d/;

/**
 * A try that goes on where an earlier one was cut off has its steps, too, so that a curve is whole and a rule that stops
 * runs early compares like with like. A program that begins again at the first step replaces them as it goes, since a
 * step that comes again replaces what came after it. Values without a step can't be told apart, so they are inherited
 * only where the program has left a state to resume from.
 */
export function inheritSeries(path: string, earlierDir: string, isResumed: boolean): void {
  const before = `${earlierDir}/${RUN_FILES.series}`;
  if (existsSync(path) || kindAt(before) !== "a file") return;
  const meta = readJsonIfAny<{ status?: string } | null>(`${earlierDir}/${RUN_FILES.meta}`, {
    isForeign: true,
  });
  const status = meta?.status ?? "";
  // A program that failed by itself begins anew, unless it left a state.
  if (RESULTS.includes(status) || (status === "failed" && !isResumed)) return;
  // What follows the last newline was torn by a kill.
  const lines = readFileSync(before, "utf8").split("\n").slice(0, -1);
  const kept = isResumed ? lines : lines.filter((line) => HAS_STEP.test(line));
  if (kept.length > 0) writeFileSync(path, `${kept.join("\n")}\n`);
}
