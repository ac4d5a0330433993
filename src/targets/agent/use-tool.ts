import type { Workspace } from "../../sandboxes/sandbox.ts";
import { cleanOutput } from "./clean-output.ts";
import type { CheckedCall, ToolInput } from "./tools.ts";

export interface ToolLimits {
  timeoutMs: number;
  outputCharacters: number;
  signal: AbortSignal;
}

export interface ToolAnswer {
  text: string;
  isTimeout: boolean;
}

/** Characters take up to four bytes. */
const MOST_BYTES_A_CHARACTER = 4;

/** Carries out one call; what comes back is clean and short enough to be shown to a model. */
export async function useTool(
  call: Exclude<CheckedCall, { name: "submit" }>,
  workspace: Workspace,
  limits: ToolLimits,
): Promise<ToolAnswer> {
  const answer = call.name === "bash" ? await runBash(call.input, workspace, limits) : undefined;
  const text =
    answer?.text ??
    (call.name === "read"
      ? await readFile(call.input, workspace)
      : await editFile(call.input as ToolInput<"edit">, workspace));
  return { text: cleanOutput(text, limits.outputCharacters), isTimeout: answer?.isTimeout ?? false };
}

async function runBash(
  { command }: ToolInput<"bash">,
  workspace: Workspace,
  { timeoutMs, outputCharacters, signal }: ToolLimits,
): Promise<ToolAnswer> {
  const outputBytes = outputCharacters * MOST_BYTES_A_CHARACTER;
  const { output, exitCode, isTimeout } = await workspace.run(command, { timeoutMs, outputBytes, signal });
  const last = isTimeout
    ? `(ended after ${timeoutMs / 1000} s)`
    : exitCode === 0
      ? output === ""
        ? "(no output)"
        : ""
      : `(exit ${exitCode ?? "by a signal"})`;
  return { text: [output.replace(/\n$/, ""), last].filter(Boolean).join("\n"), isTimeout };
}

async function readFile({ path, from = 1, to }: ToolInput<"read">, workspace: Workspace): Promise<string> {
  const text = await workspace.read(path);
  if (text === undefined) return `error: ${path} not found`;
  const lines = text.replace(/\n$/, "").split("\n");
  const last = Math.min(to ?? lines.length, lines.length);
  if (from > last) return `error: ${path} has ${lines.length} lines`;
  const shown = lines.slice(from - 1, last).map((line, i) => `${from + i}\t${line}`);
  return `${path} (lines ${from}-${last} of ${lines.length})\n${shown.join("\n")}`;
}

async function editFile(input: ToolInput<"edit">, workspace: Workspace): Promise<string> {
  const { path, old } = input;
  const text = await workspace.read(path);
  if (old === "") {
    if (text !== undefined && text !== "") return `error: ${path} is there already; say what to replace`;
    return (await workspace.write(path, input.new)) ? `made ${path}` : `error: ${path} can't be written`;
  }
  if (text === undefined) return `error: ${path} not found`;
  const at = text.indexOf(old);
  if (at < 0) return `error: that text was not found in ${path}`;
  if (text.indexOf(old, at + 1) >= 0) return `error: that text occurs more than once in ${path}`;
  const changed = text.slice(0, at) + input.new + text.slice(at + old.length);
  if (!(await workspace.write(path, changed))) return `error: ${path} can't be written`;
  return `changed ${path} at line ${text.slice(0, at).split("\n").length}`;
}
