import { mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isBelow } from "./inside-path.ts";
import { makePrivateFolder, removeFolder } from "./private-folder.ts";
import { inside, readInside, readTree } from "./read-tree.ts";
import type {
  CommandLimits,
  CommandResult,
  Mount,
  ProgramSandbox,
  SnapshotOptions,
  Workspace,
} from "./sandbox.ts";

export interface FolderOptions {
  /** What commands get besides PATH and LANG. */
  env?: Record<string, string>;
  network?: boolean;
  /** 0 is no limit. */
  memoryMb?: number;
  diskMb?: number;
  readable?: Mount[];
  /** Folders beside the workspace that commands may write to, such as their HOME. */
  writable?: Mount[];
  image?: string;
  /** Where commands' temporary files are; the system's folder for such where absent. */
  tmpParent?: string;
}

/** A workspace on a folder that is there already, and stays: its commands run in the sandbox. */
export function openFolder(sandbox: ProgramSandbox, root: string, options: FolderOptions = {}): Workspace {
  return new FolderWorkspace(sandbox, realpathSync(root), options);
}

class FolderWorkspace implements Workspace {
  readonly #sandbox: ProgramSandbox;
  readonly #root: string;
  readonly #options: FolderOptions;
  readonly #running = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();

  constructor(sandbox: ProgramSandbox, root: string, options: FolderOptions) {
    this.#sandbox = sandbox;
    this.#root = root;
    this.#options = options;
  }

  async run(command: string, limits: CommandLimits): Promise<CommandResult> {
    const running = this.#run(command, limits);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async read(path: string) {
    return readInside(this.#root, path);
  }

  async write(path: string, text: string) {
    try {
      const full = join(this.#root, path);
      if (!isFolderInside(this.#root, dirname(full))) return false;
      mkdirSync(dirname(full), { recursive: true });
      return inside(this.#root, path) && replaceText(full, text);
    } catch {
      return false;
    }
  }

  async snapshot(options: SnapshotOptions = {}) {
    return readTree(this.#root, options);
  }

  async close() {
    this.#closing.abort();
    await Promise.allSettled(this.#running);
  }

  async #run(command: string, { timeoutMs, outputBytes, signal }: CommandLimits): Promise<CommandResult> {
    const {
      env = {},
      network = false,
      memoryMb = 0,
      diskMb = 0,
      readable = [],
      writable = [],
      image,
      tmpParent,
    } = this.#options;
    const logs = makePrivateFolder(tmpParent);
    try {
      const result = await this.#sandbox.execute({
        // Both streams as they come, in one file.
        argv: ["/bin/sh", "-c", `exec 2>&1\n${command.replaceAll("\0", "")}`],
        cwd: this.#root,
        env,
        writable: [{ path: this.#root }, ...writable],
        readable,
        network,
        timeoutMs,
        memoryMb,
        diskMb,
        stdoutPath: join(logs, "output"),
        stderrPath: join(logs, "rest"),
        outputBytes,
        signal: AbortSignal.any([signal, this.#closing.signal]),
        ...(image !== undefined && { image }),
        ...(tmpParent !== undefined && { tmpParent }),
      });
      const isTimeout = result.ended === "timeout";
      return {
        output: readFileSync(join(logs, "output"), "utf8") + endText(result.ended, { memoryMb, diskMb }),
        exitCode: isTimeout ? null : result.exitCode,
        isTimeout,
        omittedBytes: result.omittedBytes,
      };
    } finally {
      await removeFolder(logs);
    }
  }
}

/** What an agent should know of a command that was ended for what it took. */
function endText(
  ended: string | undefined,
  { memoryMb, diskMb }: { memoryMb: number; diskMb: number },
): string {
  if (ended === "memory") return `\n(ended: more than ${memoryMb} MB of memory)\n`;
  if (ended === "disk") return `\n(ended: more than ${diskMb} MB on the disk)\n`;
  return ended === "processes" ? "\n(ended: too many processes)\n" : "";
}

/** Writes a file's text, but not through a pipe, nor into a file that has another name elsewhere. */
function replaceText(path: string, text: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats && !stats.isFile()) return false;
  const isShared = stats !== undefined && stats.nlink > 1;
  if (isShared) rmSync(path);
  writeFileSync(path, text, isShared ? { mode: stats.mode } : {});
  return true;
}

/** Whether a folder that may not be there yet would lie below the root: the nearest one that is there does. */
function isFolderInside(root: string, folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (!isBelow(at, root)) return false;
    try {
      return isBelow(realpathSync(at), root);
    } catch {
      // Its parent then.
    }
  }
}
