import type { z } from "zod";

type Issue = z.core.$ZodIssue;
type Union = Extract<Issue, { code: "invalid_union" }>;

/** What a schema wanted, as it stands behind "expected". */
export function explainIssue(issue: Issue): string {
  // A schema's own words are better than ours.
  if (issue.code !== "invalid_union" && !/^(Invalid|Too small|Too big)/.test(issue.message))
    return issue.message.replace(/\.$/, "");
  switch (issue.code) {
    case "invalid_type":
      return TYPE_NAMES[issue.expected] ?? `a ${issue.expected}`;
    case "invalid_value":
      return `one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "too_small":
      if (issue.origin === "array") return `at least ${issue.minimum} item${issue.minimum === 1 ? "" : "s"}`;
      if (issue.origin === "string") return "a text that is not empty";
      return `a number ${issue.inclusive ? "of at least" : "above"} ${issue.minimum}`;
    case "too_big":
      return `a number ${issue.inclusive ? "of at most" : "below"} ${issue.maximum}`;
    case "invalid_union":
      return issue.message === "Invalid input" ? alternatives(issue) : issue.message;
    default:
      return issue.message
        .replace(/^Invalid (input|option): expected |, received .*$/g, "")
        .replace(/\.$/, "");
  }
}

/** A misspelt key also makes the right one missing: the slip is told, not what follows from it. */
export function clearestIssue(issues: readonly Issue[]): Issue | undefined {
  return issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
}

const TYPE_NAMES: Record<string, string> = {
  record: "named values",
  object: "named values",
  array: "a list",
  int: "a whole number",
  string: "a text",
  boolean: "true or false",
  null: "null",
};

/** `a text or a list`, for a union that says nothing of its own. */
function alternatives(issue: Union): string {
  const names = issue.errors.flatMap(([first]) => (first ? [explainIssue(first)] : []));
  return [...new Set(names)].join(" or ") || "another value";
}

export function shownValue(value: unknown): string {
  const text = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
