import { fixedText } from "../../../core/number-text.ts";
import { suspicionText } from "../suspicion/suspicion.ts";
import type { Graded } from "./evaluation-results.ts";

/** `scoring_results.md`: the grade for people. */
export function scoringResults({ runId, task, work, change, grade }: Required<Graded>): string {
  const { score, problem, judgement, custom, suspicions, warnings } = grade;
  const lines = [
    `# ${task.title ?? task.id}`,
    "",
    `- run: ${runId}`,
    `- score: ${score === null ? "unknown" : `${fixedText(100 * score, 1)}%`}`,
    `- patch: ${grade.patch}, ${change.lines} lines in ${change.files.length} files`,
    `- agent: ended with ${work.exit} after ${fixedText(work.wallMs / 1000, 1)} s`,
  ];
  if (problem) lines.push(`- ${problem.owner}: ${problem.reason}`);
  if (grade.rubrics.length > 0) {
    lines.push("", "| rubric | criterion | weight | score | tests |", "| --- | --- | ---: | ---: | ---: |");
    for (const { id, criterion, weight, score: own, passed, tests } of grade.rubrics) {
      const cells = [
        id,
        criterion,
        weight,
        own === null ? "not tested" : fixedText(own, 2),
        `${passed}/${tests}`,
      ];
      lines.push(`| ${cells.map((cell) => cellText(cell)).join(" | ")} |`);
    }
  }
  if (grade.tests.length > 0) {
    lines.push("", "| test | result | why |", "| --- | --- | --- |");
    for (const { path, verdict, reason } of grade.tests)
      lines.push(`| ${[path, verdict, reason].map(cellText).join(" | ")} |`);
  }
  if (judgement?.score != null) {
    const noise =
      judgement.sd === null ? "" : `, sd ${fixedText(judgement.sd, 3)} over ${judgement.repeats} judgements`;
    lines.push("", `Judge: ${fixedText(judgement.score, 3)}${noise}. ${judgement.summary}`);
  }
  const measured = Object.entries(custom);
  if (measured.length > 0) lines.push("", ...measured.map(([name, value]) => `- ${name}: ${value}`));
  if (suspicions.length > 0) lines.push("", ...suspicions.map((found) => `> ${suspicionText(found)}`));
  if (warnings.length > 0) lines.push("", ...warnings.map((text) => `> ${text}`));
  return `${lines.join("\n")}\n`;
}

function cellText(cell: string | number): string {
  return String(cell).replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
}
