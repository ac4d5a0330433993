import { evaluateLaunch } from "../api/evaluate-launch.ts";
import { countText, numberText, plural } from "../core/number-text.ts";
import type { RunRecord } from "../core/run.ts";
import { titleOf } from "../core/study-folder.ts";
import { findLaunch } from "../read/find-launch.ts";
import { listenForInterrupts } from "./interrupts.ts";
import { printable, styleFor } from "./terminal.ts";

export interface EvalOptions {
  latest?: boolean;
  rollout?: string;
  outRoot?: string;
  jobs?: number;
  quiet?: boolean;
  json?: boolean;
}

const MOST_SHOWN = 20;

/** Grades recorded patches again, and says whose grade is another one now. */
export async function evaluate(name: string, options: EvalOptions): Promise<void> {
  const studyDir = findLaunch(name, options);
  const interrupts = listenForInterrupts();
  const isShown = process.stderr.isTTY && !options.quiet && !options.json;
  const { signal } = interrupts.stop;
  try {
    const { graded, changed, passedOver, broken } = await evaluateLaunch(studyDir, {
      signal,
      ...(options.jobs !== undefined && { jobs: options.jobs }),
      onGraded: (done, total) => {
        if (isShown) process.stderr.write(`\r\x1b[Kgraded ${done}/${total}${done === total ? "\n" : ""}`);
      },
    });
    if (signal.aborted) process.exitCode = interrupts.exitCode;
    else if (broken.length > 0) process.exitCode = 1;
    if (options.json) {
      const changes = changed.map(({ before, after }) => ({
        id: after.id,
        before: brief(before),
        after: brief(after),
      }));
      console.log(JSON.stringify({ studyDir, graded, changed: changes, passedOver, broken }));
      return;
    }
    const style = styleFor(process.stdout);
    const left = passedOver > 0 ? `, ${plural(passedOver, "rollout")} without a patch to grade` : "";
    console.log(
      `${style.bold(titleOf(studyDir))}: ${graded === 1 ? "1 patch" : `${countText(graded)} patches`} graded, ${changed.length} with another result${left}`,
    );
    for (const { before, after } of changed.slice(0, MOST_SHOWN))
      console.log(`  ${after.id}: ${words(before)} -> ${words(after)}`);
    if (changed.length > MOST_SHOWN) console.log(`  and ${changed.length - MOST_SHOWN} more`);
    for (const { id, reason } of broken.slice(0, MOST_SHOWN))
      console.log(`  ${style.red("not graded")} ${id}: ${printable(reason)}`);
    console.log(`Next: assay summarize ${titleOf(studyDir)}`);
  } finally {
    interrupts.release();
  }
}

function brief({ outcome, metrics }: RunRecord) {
  return { ...outcome, score: metrics.score ?? null, solved: metrics.solved ?? null };
}

function words({ outcome, metrics }: RunRecord): string {
  const { score } = metrics;
  if (outcome.status === "ok" && typeof score === "number") return `score ${numberText(score)}`;
  return printable(`${outcome.owner ?? outcome.status}: ${outcome.reason ?? "no score"}`);
}
