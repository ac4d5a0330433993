import { appendFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import type { Redactor } from "../core/redact.ts";
import { redactFile } from "./redact-file.ts";

/** Cuts a captured file to its cap, says so at its end, and takes secrets out of it. */
export function sealOutput(path: string, capBytes: number, redactor: Redactor): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) {
    writeFileSync(path, "");
    return;
  }
  const isCapped = size > capBytes;
  if (isCapped) truncateSync(path, capBytes);
  if (size > 0) redactFile(path, redactor);
  if (isCapped) {
    // The cut may have left the beginning of a secret: as much as could be one goes too.
    truncateSync(path, Math.max(0, statSync(path).size - longest(redactor)));
    appendFileSync(path, `\n[assay: capped at ${capBytes} bytes; what came after was not kept]\n`);
  }
}

function longest({ needles }: Redactor): number {
  return Math.max(0, ...needles.map(({ needle }) => Buffer.byteLength(needle)));
}
