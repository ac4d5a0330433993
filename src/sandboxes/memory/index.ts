import type { CommandLimits, CommandResult, FileTree, Sandbox, Workspace } from "../sandbox.ts";
import { runLine } from "./run-line.ts";
import { resolvePath } from "./small-commands.ts";

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
