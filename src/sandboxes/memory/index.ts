import type { CommandLimits, CommandResult, FileTree, Sandbox, Workspace } from "../sandbox.ts";
import { commands } from "./commands.ts";
import { resolvePath, type Shell } from "./small-commands.ts";

/**
 * Files in memory and a handful of commands in this very process: a hundred times faster than processes, and no
 * protection at all from what the code of a task does. For models that are programs themselves.
 */
export const memory: Sandbox = {
  name: "memory",
  description: "files in memory, a few commands in this process; fast, for scripted and replayed models only",
  open: async (files) => new MemoryWorkspace(files),
};

class MemoryWorkspace implements Workspace {
  readonly #original: FileTree;
  readonly #files: Map<string, string>;

  constructor(files: FileTree) {
    this.#original = files;
    this.#files = new Map(files);
  }

  async run(command: string, { timeoutMs, outputBytes }: CommandLimits): Promise<CommandResult> {
    const { output, exitCode, isTimeout } = runLine(command, {
      files: this.#files,
      original: this.#original,
      timeoutMs,
    });
    const omittedBytes = Math.max(0, output.length - outputBytes);
    const half = Math.floor(outputBytes / 2);
    const kept =
      omittedBytes === 0
        ? output
        : `${output.slice(0, half)}\n(${omittedBytes} bytes omitted)\n${output.slice(-half)}`;
    return { output: kept, exitCode: isTimeout ? null : exitCode, isTimeout, omittedBytes };
  }

  async read(path: string) {
    const full = resolvePath(path);
    return full === undefined ? undefined : this.#files.get(full);
  }

  async write(path: string, text: string) {
    const full = resolvePath(path);
    const isFolder = full === "" || [...this.#files.keys()].some((name) => name.startsWith(`${full}/`));
    if (full === undefined || isFolder) return false;
    this.#files.set(full, text);
    return true;
  }

  async snapshot() {
    return new Map(this.#files);
  }

  async close() {}
}

interface LineResult {
  output: string;
  exitCode: number;
  isTimeout: boolean;
}

/** One command line: words and quotes, `|`, `&&`, `||` and `;`. Everything else of a shell is refused in words. */
function runLine(line: string, shell: Shell): LineResult {
  const steps = shellWords(line);
  if (typeof steps === "string") return { output: `sh: ${steps}\n`, exitCode: 2, isTimeout: false };
  let output = "";
  let exitCode = 0;
  let piped: string | undefined;
  for (const { words, after, isPiped } of steps) {
    const isSkipped = (after === "&&" && exitCode !== 0) || (after === "||" && exitCode === 0);
    if (isSkipped) continue;
    const [name, ...args] = words;
    const command = name === undefined ? undefined : commands[name];
    const result = command
      ? command(args, shell, piped)
      : { output: `sh: ${name ?? ""}: not found\n`, exitCode: 127 };
    if (result.isTimeout) return { output: output + result.output, exitCode: 124, isTimeout: true };
    exitCode = result.exitCode;
    piped = isPiped ? result.output : undefined;
    if (!isPiped) output += result.output;
  }
  return { output, exitCode, isTimeout: false };
}

interface ShellStep {
  words: string[];
  /** What stands before it. */
  after: "" | "&&" | "||" | ";" | "|";
  /** Its output goes to the next one. */
  isPiped: boolean;
}

const TOKEN = /\s*(?:(&&|\|\||;|\||\n)|((?:2>&1|[^\s;&|<>"'`$\\()]|\\.|'[^']*'|"(?:[^"\\$`]|\\.)*"|\$$)+))/y;

/** A command line taken apart; a text that says why it can't be. */
function shellWords(line: string): ShellStep[] | string {
  const steps: ShellStep[] = [];
  let current: ShellStep = { words: [], after: "", isPiped: false };
  const text = line.trim();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match)
      return `this sandbox does not understand ${JSON.stringify(text.slice(at).trim().slice(0, 20))}`;
    const [, operator, word] = match;
    if (word !== undefined) {
      if (word !== "2>&1") current.words.push(unquote(word));
      continue;
    }
    const after = (operator === "\n" ? ";" : operator) as ShellStep["after"];
    if (current.words.length === 0) return `syntax error near ${operator}`;
    steps.push({ ...current, isPiped: after === "|" });
    current = { words: [], after, isPiped: false };
  }
  if (current.words.length > 0) steps.push(current);
  return steps;
}

function unquote(word: string): string {
  return word.replaceAll(
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replaceAll(/\\(["\\$`])/g, "$1") ?? escaped ?? "",
  );
}
