import { appendFileSync, readFileSync, renameSync, statSync, truncateSync, writeFileSync } from "node:fs";
import type { Redactor } from "../core/redact.ts";

/** Cuts a captured file to its cap, says so at its end, and takes secrets out of it. */
export function sealOutput(path: string, capBytes: number, redactor: Redactor): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) {
    writeFileSync(path, "");
    return;
  }
  const isCapped = size > capBytes;
  // A secret that the cut would leave half of goes whole: the longest one's length is cut off as well.
  if (isCapped) truncateSync(path, Math.max(0, capBytes - (redactor.needles[0]?.needle.length ?? 0)));
  if (size > 0) redactFile(path, redactor);
  if (isCapped) {
    appendFileSync(path, `\n[assay: capped at ${capBytes} bytes; what came after was not kept]\n`);
  }
}

/** Bytes that are not UTF-8 must stay as they are, so the search is over latin1, one character a byte. */
export function redactFile(path: string, redactor: Redactor): void {
  if (redactor.needles.length === 0) return;
  const bytes = readFileSync(path);
  const found = redactor.needles.filter(({ needle }) => bytes.includes(needle, 0, "utf8"));
  if (found.length === 0) return;
  let text = bytes.toString("latin1");
  for (const { needle, replacement } of found) {
    text = text.replaceAll(Buffer.from(needle, "utf8").toString("latin1"), () => replacement);
  }
  writeFileSync(`${path}.tmp`, text, "latin1");
  renameSync(`${path}.tmp`, path);
}
