import { plural } from "../core/number-text.ts";
import { SECRETS_LEFT } from "../core/redact.ts";
import type { RunRecord } from "../core/run.ts";
import { SUSPECT } from "../core/suspect.ts";
import type { Warning } from "../core/warning.ts";

/** More kinds of notes than this are for the table. */
const MOST_KINDS = 4;
/** A digit inside a word, as in p95, is part of its name. */
const NUMBER = /(?<![\w.])\d+(?:\.\d+)?(?!\w)/g;

/**
 * What runs say of their own results, such as "3 of 50 workflows did not finish": one line for each kind of note, with
 * the range of its numbers. A note that only some runs have may be why they differ, so it is a warning. One on a metric
 * that the study is not about is left to the table.
 */
export function runNotes(records: readonly RunRecord[], metric: string | null): Warning[] {
  const good = records.filter(({ outcome }) => outcome.status === "ok");
  const kinds = new Map<string, { texts: string[]; runs: Set<string> }>();
  for (const { id, warnings = [], metrics } of good)
    for (const text of warnings) {
      const [subject] = text.split(" ");
      const isOfAnother = subject !== metric && Object.hasOwn(metrics, subject!);
      // Those have a warning of their own.
      if (isOfAnother || text.includes(SECRETS_LEFT) || text.startsWith(`${SUSPECT}:`)) continue;
      const kind = text.replaceAll(NUMBER, "#");
      const { texts, runs } = kinds.get(kind) ?? { texts: [], runs: new Set() };
      texts.push(text);
      kinds.set(kind, { texts, runs: runs.add(id) });
    }
  const byRuns = [...kinds].sort(([, a], [, b]) => b.runs.size - a.runs.size);
  const notes = byRuns.slice(0, MOST_KINDS).map(([kind, { texts, runs }]): Warning => {
    const isAll = runs.size === good.length;
    const where = isAll ? "all runs" : `${runs.size} of ${plural(good.length, "run")}`;
    return {
      kind: "run-note",
      level: isAll ? "info" : "warn",
      text: `In ${where}, ${withRanges(kind, texts)}.`,
    };
  });
  const more = byRuns.length - MOST_KINDS;
  if (more > 0)
    notes.push({
      ...{ kind: "run-note", level: "info" },
      text: `Runs have ${plural(more, "further kind")} of notes: \`notes\` in runs.csv has all of them.`,
    });
  return notes;
}

function withRanges(kind: string, texts: readonly string[]): string {
  const rows = texts.map((text) => text.match(NUMBER) ?? []);
  let i = 0;
  return kind.replaceAll("#", () => {
    const column = i++;
    const found = rows.map((row) => row[column]!);
    const numbers = found.map(Number);
    const low = numbers.reduce((a, b) => Math.min(a, b));
    const high = numbers.reduce((a, b) => Math.max(a, b));
    return low === high ? found[0]! : `${low} to ${high}`;
  });
}
