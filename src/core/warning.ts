import { SUSPECT } from "./agent-run.ts";
import { SECRETS_LEFT } from "./redact.ts";

/** Something to keep in mind, for programs by its kind and for people by its text. */
export interface Warning {
  /** `left-out`, `read-otherwise`, `missing-file`, ... */
  kind: string;
  level: "warn" | "info";
  text: string;
}

/** The kind of what runs say of their own results. */
export const RUN_NOTE = "run-note";
/** The kind of what says that a run's files may still hold a key. */
export const SECRETS = "secrets";

/** A run's warning with its kind. Journals keep the text alone, so this is the one place that tells kinds by it. */
export function warningOfRun(text: string): Warning {
  if (text.includes(SECRETS_LEFT)) return { kind: SECRETS, level: "warn", text };
  if (text.startsWith(`${SUSPECT}:`)) return { kind: SUSPECT, level: "warn", text };
  return { kind: RUN_NOTE, level: "info", text };
}
