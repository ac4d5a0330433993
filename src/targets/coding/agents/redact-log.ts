import type { Redactor } from "../../../core/redact.ts";
import { replaceFile } from "../../../host/files.ts";
import { readPlainFile } from "../read-plain-file.ts";

const MOST_BYTES = 64 << 20;

/** Takes the agent's keys out of what it printed. */
export function redactLog(path: string, redactor: Redactor): void {
  if (redactor.needles.length === 0) return;
  const text = readPlainFile(path, MOST_BYTES);
  if (text === undefined) return;
  const clean = redactor.text(text);
  if (clean !== text) replaceFile(path, clean, { isDurable: false });
}
