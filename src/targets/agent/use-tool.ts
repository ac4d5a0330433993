import type { Workspace } from "../../sandboxes/sandbox.ts";
import type { CheckedCall, ToolInput } from "./tools.ts";

/** Terminal commands: colours, titles, cursor movements, and the strings that some of them carry. */
const ESCAPES =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]/g;
/** Everything else that no text needs: control codes, marks that turn or hide text, halves of characters. */
const UNWANTED =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

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

/**
 * A tool's output as the model may see it: no codes, and no longer than `most` characters. Whatever it says stays text
 * in its own message: it can't end that message, and it can't look like another one.
 */
export function cleanOutput(text: string, most: number): string {
  // Nothing that is cut off anyway need be cleaned; cleaning only shortens.
  const isHuge = text.length > 4 * most;
  const parts = isHuge ? [text.slice(0, 2 * most), text.slice(-2 * most)] : [text];
  const clean = parts.map((part) =>
    part.replaceAll("\r\n", "\n").replaceAll(ESCAPES, "").replaceAll("\r", "\n").replaceAll(UNWANTED, ""),
  );
  const whole = clean.join("");
  if (!isHuge && whole.length <= most) return whole;
  const half = Math.floor(most / 2);
  const head = wellFormed(clean[0]!.slice(0, half));
  const tail = wellFormed(clean.at(-1)!.slice(-half));
  const omitted = text.length - head.length - tail.length;
  return `${head}\n(${omitted} characters omitted)\n${tail}`;
}

/** A cut may go through a character. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, "").replace(/^[\udc00-\udfff]/, "");
}
