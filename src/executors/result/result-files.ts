import type { Setting } from "../../core/executor.ts";
import type { Redactor } from "../../core/redact.ts";
import type { Attempt, Run } from "../../core/run.ts";
import { RUN_FILES } from "../../core/study-folder.ts";
import { describeResult } from "./describe-result.ts";
import { resultMarkdown } from "./result-markdown.ts";
import { resultText } from "./result-text.ts";

/** result.json and result.md with what is in them, where the study asks for them. */
export function resultFiles(
  run: Run,
  attempt: Attempt,
  { setting: { result: facts, iterations }, redactor }: { setting: Setting; redactor: Redactor },
): (readonly [string, string])[] {
  if (!facts) return [];
  const result = redactor.value(describeResult({ run, attempt, facts, iterations }));
  return [
    [RUN_FILES.result, resultText(result)],
    [RUN_FILES.resultPage, redactor.text(resultMarkdown(result))],
  ];
}
