import { appendFileSync } from "node:fs";
import type { Grade, TestResult } from "./grade.ts";

/** How grading went, for people: written as it goes, so that it can be watched. */
export class EvalLog {
  readonly #path: string | null;

  constructor(logsDir: string | null) {
    this.#path = logsDir === null ? null : `${logsDir}/eval.log`;
  }

  say(text: string): void {
    if (this.#path !== null) appendFileSync(this.#path, `${text}\n`);
  }

  test({ path, verdict, reason, wallMs, output }: TestResult): void {
    const head = `--- ${path}: ${verdict} (${reason}, ${(wallMs / 1000).toFixed(2)} s)`;
    this.say(output === "" ? head : `${head}\n${output.trimEnd()}`);
  }

  close({ score, problem, warnings }: Grade): void {
    for (const warning of warnings) this.say(`warning: ${warning}`);
    if (problem) this.say(`${problem.owner}: ${problem.reason}`);
    this.say(`--- score: ${score === null ? "unknown" : score.toFixed(4)}`);
  }
}
