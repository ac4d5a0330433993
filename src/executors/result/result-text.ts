import type { ResultFile } from "../../core/result-file.ts";

/** result.json as text: indented for people, but an iteration a line. */
export function resultText(result: ResultFile): string {
  const lines = result.iteration_metrics.map((iteration) => `    ${JSON.stringify(iteration)}`);
  const list = lines.length === 0 ? "[]" : `[\n${lines.join(",\n")}\n  ]`;
  // The list stands alone on its line, so nothing that a user wrote can be taken for it.
  const text = JSON.stringify({ ...result, iteration_metrics: [] }, null, 2);
  return `${text.replace('\n  "iteration_metrics": []', () => `\n  "iteration_metrics": ${list}`)}\n`;
}
