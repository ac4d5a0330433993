import type { Study } from "../core/study.ts";
import { printable, styleFor } from "./terminal.ts";

/** What the study's file says and Assay does not do: on stderr, so that a table stays a table. The report has the rest. */
export function printWarnings({ warnings = [] }: Study): void {
  const style = styleFor(process.stderr);
  for (const warning of warnings.filter(({ level }) => level === "warn"))
    process.stderr.write(`${style.bold("warning:")} ${printable(warning.text)}\n`);
}
