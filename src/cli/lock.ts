import { relative } from "node:path";
import { numberText, plural } from "../core/number-text.ts";
import type { Amount, Analysis } from "../core/study.ts";
import { loadStudies, type Overrides } from "../launch/load-study.ts";
import { type LockResult, lockPlan } from "../launch/lock-plan.ts";
import { prepareStudy } from "../launch/prepare-study.ts";
import { overridesFrom, requireFile, type SelectionOptions } from "./overrides.ts";
import { printable } from "./terminal.ts";

interface LockCommand extends SelectionOptions {
  until?: Overrides["until"];
  git: boolean;
  json?: boolean;
}

/** Locks the plan of each study of a file. */
export async function lock(file: string | undefined, options: LockCommand): Promise<void> {
  const overrides = { ...overridesFrom(options), ...(options.until && { until: options.until }) };
  for (const loaded of loadStudies(requireFile(file), overrides)) {
    const result = lockPlan(await prepareStudy(loaded), { withGit: options.git });
    if (options.json) console.log(JSON.stringify({ ...result, studyDir: shown(result.studyDir) }));
    else for (const line of lines(result)) console.log(printable(line));
  }
}

function lines({ studyDir, isNew, lock: { at, hash, plan, git, earlier } }: LockResult): string[] {
  const { analysis, stop, seeds, exclude, failures } = plan;
  const { tasks } = plan.arms;
  const unitText = [
    Array.isArray(tasks) && plural(tasks.length, "task"),
    (!Array.isArray(tasks) || seeds.length > 1) && plural(seeds.length, "seed"),
  ]
    .filter(Boolean)
    .join(" x ");
  const failureText =
    failures.count === "missing" ? "the worst of passes and failures, else as missing" : failures.count;
  return [
    `${isNew ? "Locked" : `Locked since ${at}, unchanged`}: ${plan.study} -> ${shown(studyDir)}`,
    `  plan      sha256 ${hash}`,
    `  metric    ${[analysis.metric, analysis.goal, marginText(analysis)].filter(Boolean).join(", ")}`,
    `  baseline  ${analysis.baseline ? JSON.stringify(analysis.baseline) : "none: every arm with every other one"}`,
    `  failures  count as ${failureText}; retries ${failures.retries}${exclude === null ? "" : `; where ${exclude}`}`,
    `  stop      ${stop === "as decided" ? `as decided, at most ${unitText}` : `after ${plural(stop.runs, "run")}, ${unitText}`}`,
    `  code      ${plan.program}`,
    git
      ? `  git       tag ${git.tag} at ${git.commit.slice(0, 7)}${git.changes === null ? "" : ", with uncommitted changes"}; push it to have its time vouched for`
      : "  git       no tag",
    ...(earlier.length > 0
      ? [
          `The same question was locked before: ${earlier.map((one) => `${one.at} (${one.where})`).join(", ")}. So this study's answers are exploratory.`,
        ]
      : []),
  ];
}

function marginText({ margin, decide }: Analysis): string {
  const text = ({ value, isShare }: Amount) => (isShare ? `${numberText(100 * value)} %` : numberText(value));
  const amount = decide?.margin ?? margin;
  return amount ? `margin ${text(amount)}` : "";
}

function shown(studyDir: string): string {
  return relative(process.cwd(), studyDir) || ".";
}
