/** How agents end, as reports count it. */
export const EXIT_CATEGORIES = [
  "submitted",
  "exit_cost",
  "exit_context",
  "exit_timeout",
  "exit_format",
  "exit_forfeit",
  "exit_api",
  "exit_environment",
  "exit_command",
  "exit_error",
  "other",
  "unknown",
] as const;

export type ExitCategory = (typeof EXIT_CATEGORIES)[number];

/** The first that fits decides: a command's timeout is a timeout, an environment's error an environment's. */
const WORDS: [RegExp, ExitCategory][] = [
  [/submitted/, "submitted"],
  [/cost|limitsexceeded/, "exit_cost"],
  [/context/, "exit_context"],
  [/timeout|execution_time|timeexceeded/, "exit_timeout"],
  [/format/, "exit_format"],
  [/forfeit/, "exit_forfeit"],
  [/api/, "exit_api"],
  [/environment/, "exit_environment"],
  [/command/, "exit_command"],
  [/error/, "exit_error"],
];

/** `submitted (exit_cost)` is what was left when the money ran out: an exit for cost, and a submission too. */
export function exitCategory(status: string | null): ExitCategory {
  const whole = (status ?? "").trim();
  const reason = /^submitted\s*\((.*)\)$/is.exec(whole)?.[1]?.trim() ?? whole;
  if (reason === "") return whole === "" ? "unknown" : "submitted";
  // An exception's name may contain any word.
  if (/^uncaught\b/i.test(reason)) return "exit_error";
  const text = reason.toLowerCase();
  return WORDS.find(([words]) => words.test(text))?.[1] ?? "other";
}

/** Whether anything was handed in, for whatever reason it ended. */
export function isSubmitted(status: string | null): boolean {
  return /^\s*submitted/i.test(status ?? "");
}
