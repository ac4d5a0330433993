import type { JudgedArm, Judgement } from "../analysis/labels/judge.ts";
import { findStudy } from "../archive/read-records.ts";
import { countText, numberText, percentText } from "../core/number-text.ts";
import { titleOf } from "../core/study-folder.ts";
import { type JudgeOptions, judgeStudy, pickRuns } from "../read/judge-labels.ts";
import { readStudy } from "../read/view-study.ts";
import { printable, prose, styleFor, table } from "./terminal.ts";

interface JudgeCommand extends JudgeOptions {
  judge?: string;
  pick?: number;
  outRoot?: string;
  json?: boolean;
}

/** Says what people would say of all runs, from a judge on all of them and people's labels on some. */
export async function judge(name: string, { judge: metric, pick, outRoot, json, ...rest }: JudgeCommand) {
  const studyDir = findStudy(name, outRoot);
  const read = await readStudy(studyDir);
  const options = { ...rest, ...(metric !== undefined && { metric }) };
  if (pick !== undefined) {
    const runs = pickRuns(read, pick, options);
    console.log(json ? JSON.stringify({ study: titleOf(studyDir), runs }) : runs.map(printable).join("\n"));
    return;
  }
  const found = judgeStudy(read, options);
  console.log(
    json
      ? JSON.stringify({ study: titleOf(studyDir), ...found })
      : prose(lines(found, titleOf(studyDir)).join("\n")),
  );
}

function lines(found: Judgement, study: string): string[] {
  const { bold, dim, yellow } = styleFor(process.stdout);
  const level = percentText(found.level);
  const header = ["arm", "runs", "labels", found.judge, "people would say", `${level} interval`];
  const more = ["labels alone", "labels saved"];
  return [
    `${bold(printable(study))}: what people would say of all runs, by ${printable(found.judge)} on all and their labels on some`,
    table(
      [...header, ...more],
      found.arms.map((arm) => row(arm)),
    ),
    "",
    printable(found.sentence),
    ...found.arms.flatMap(({ arm, together }) =>
      together.known ? [] : [`${printable(arm)}: unknown, because ${together.why}.`],
    ),
    dim(
      "Valid whatever the judge is like, if the labelled runs were picked at random (prediction-powered inference, PPI++). Runs of one task or seed count together.",
    ),
    ...found.cautions.map((text) => yellow(`note: ${printable(text)}`)),
  ];
}

function row({ arm, runs, labels, judgeMean, together, alone, saved }: JudgedArm): (string | number)[] {
  return [
    ...[arm, countText(runs), countText(labels), numberText(judgeMean, 3)],
    ...(together.known ? [numberText(together.estimate, 3), rangeText(together)] : ["unknown", ""]),
    alone.known ? rangeText(alone) : "unknown",
    countText(saved),
  ];
}

function rangeText({ low, high }: { low: number; high: number }): string {
  return `${numberText(low, 3)} to ${numberText(high, 3)}`;
}
