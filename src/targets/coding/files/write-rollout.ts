import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { fixedText } from "../../../core/number-text.ts";
import { replaceFile } from "../../../host/files.ts";
import type { Rollout } from "../rollout.ts";
import { suspicionText } from "../suspicion/suspicion.ts";
import { evaluationResults, type Graded } from "./evaluation-results.ts";

/** Who runs what, for people who look while it is under way. */
export function writeMetadata(runDir: string, rollout: Rollout): void {
  const { runId, taskDir, task, model, agent, seed, sandbox, base, startedAtMs } = rollout;
  writeJson(`${runDir}/metadata.json`, {
    run_id: runId,
    task_dir: taskDir,
    task_id: task?.id ?? null,
    title: task?.title ?? null,
    tags: task?.tags ?? [],
    format: task?.format ?? null,
    model,
    agent,
    rollout: seed,
    sandbox,
    revision: base?.revision ?? null,
    started_at: new Date(startedAtMs).toISOString(),
  });
}

/** Among the artifacts of a task that runs in its own image: a line per path, `A` new, `C` changed, `D` deleted. */
export const IMAGE_CHANGES = "image_changes.txt";

/** What the agent changed, before anybody grades it: a run that is killed while it is graded keeps its answer. */
export function writeArtifacts(runDir: string, rollout: Rollout, notes: string | undefined): void {
  const { task, base, change, work } = rollout;
  writeWhole(`${runDir}/artifacts/diff.patch`, change?.patch ?? "");
  writeJson(`${runDir}/artifacts/repo_info.json`, {
    source: task?.source ?? null,
    revision: base?.revision ?? null,
    changed_files: change?.files ?? [],
    diff_lines: change?.lines ?? null,
  });
  if (work?.left) writeWhole(`${runDir}/artifacts/${IMAGE_CHANGES}`, `${work.left.changes.join("\n")}\n`);
  const told = `The agent ${rollout.agent} ended with ${work?.exit ?? "nothing"} and left no notes.\n`;
  writeWhole(`${runDir}/artifacts/notes.md`, notes ?? told);
}

/** How it ended; also where it was not graded. */
export function writeResults(runDir: string, rollout: Rollout, endedAtMs: number): void {
  const { runId, taskDir, startedAtMs, task, work, change, grade } = rollout;
  writeJson(`${runDir}/results.json`, {
    run_id: runId,
    task_dir: taskDir,
    exit_code: work?.exitCode ?? null,
    agent_exit: work?.exit ?? null,
    start_time: new Date(startedAtMs).toISOString(),
    end_time: new Date(endedAtMs).toISOString(),
  });
  if (!task || !work || !change || !grade) return;
  const graded = { runId, task, work, change, grade };
  writeJson(`${runDir}/evaluation_results.json`, evaluationResults(graded));
  writeWhole(`${runDir}/scoring_results.md`, scoringResults(graded));
}

/** `scoring_results.md`: the grade for people. */
function scoringResults({ runId, task, work, change, grade }: Required<Graded>): string {
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

/** Replaces a file whole. A rollout has a dozen of them: to wait for the disk at each would show. */
export function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  replaceFile(path, text, { isDurable: false });
}

export function writeJson(path: string, value: unknown): void {
  writeWhole(path, `${JSON.stringify(value, null, 2)}\n`);
}
