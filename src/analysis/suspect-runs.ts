import { plural } from "../core/number-text.ts";
import type { RunRecord } from "../core/run.ts";
import { SUSPECT } from "../core/suspect.ts";
import type { Warning } from "../core/warning.ts";

/** Runs whose tests may have been passed in another way than by solving the task. They count as they were graded. */
export function suspectRuns(records: readonly Pick<RunRecord, "labels" | "metrics">[]): Warning[] {
  const suspects = records.filter(({ labels }) => labels?.[SUSPECT] !== undefined);
  if (suspects.length === 0) return [];
  const kinds = new Map<string, number>();
  for (const { labels } of suspects)
    for (const kind of labels![SUSPECT]!.split(", ")) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const listed = [...kinds].sort(([, a], [, b]) => b - a).map(([kind, count]) => `${kind}: ${count}`);
  const solved = suspects.filter(({ metrics }) => metrics.solved === 1).length;
  return [
    {
      kind: "suspect",
      level: "warn",
      text: `${suspects.length} of ${plural(records.length, "run")} ${suspects.length === 1 ? "is" : "are"} suspect (${listed.join("; ")}), of which ${solved} count as solved. Nothing was taken off their scores: look at them with \`assay query STUDY --where "${SUSPECT} != ''"\`.`,
    },
  ];
}
