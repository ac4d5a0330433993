import type { Measurements } from "../analysis/measurements.ts";
import { printable, styleFor } from "./terminal.ts";

const SHOWN = 3;

/** Says which runs have no number, and why: they are missing, not zero. */
export function missingLines({ missing }: Measurements): string[] {
  if (missing.length === 0) return [];
  const { yellow } = styleFor(process.stdout);
  const shown = missing.slice(0, SHOWN).map(({ id, why }) => `  ${printable(id)}: ${why}`);
  const more = missing.length > SHOWN ? [`  and ${missing.length - SHOWN} more`] : [];
  const verb = missing.length === 1 ? "run is" : "runs are";
  return ["", yellow(`${missing.length} ${verb} left out:`), ...shown, ...more];
}
