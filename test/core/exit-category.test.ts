import { describe, expect, test } from "vitest";
import { exitCategory, isSubmitted } from "../../src/core/exit-category.ts";

describe("an exit's category", () => {
  test.each([
    ["submitted", "submitted"],
    ["Submitted", "submitted"],
    ["submitted (exit_cost)", "exit_cost"],
    ["submitted (exit_command_timeout)", "exit_timeout"],
    ["submitted (Uncaught ContextWindowError)", "exit_error"],
    ["submitted ()", "submitted"],
    ["exit_cost", "exit_cost"],
    ["LimitsExceeded", "exit_cost"],
    ["exit_context", "exit_context"],
    ["exit_command_timeout", "exit_timeout"],
    ["exit_total_execution_time", "exit_timeout"],
    ["TimeExceeded", "exit_timeout"],
    ["exit_format", "exit_format"],
    ["RepeatedFormatError", "exit_format"],
    ["exit_forfeit", "exit_forfeit"],
    ["exit_api", "exit_api"],
    ["exit_environment_error", "exit_environment"],
    ["exit_command", "exit_command"],
    ["exit_error", "exit_error"],
    ["Uncaught ApiTimeoutError", "exit_error"],
    ["early_exit", "other"],
    ["skipped", "other"],
    ["unknown_exit", "other"],
    ["exit_repetitive_action", "other"],
    ["", "unknown"],
    ["  ", "unknown"],
    [null, "unknown"],
  ])("of %j is %s", (status, category) => {
    expect(exitCategory(status)).toBe(category);
  });

  test("does not change what was submitted: every status that starts so", () => {
    expect(["submitted", "submitted (exit_cost)", "Submitted"].map(isSubmitted)).toEqual([true, true, true]);
    expect(["exit_cost", "", null, "not submitted"].map(isSubmitted)).toEqual([false, false, false, false]);
  });
});
